#include "engine/cli/program.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

#include "engine/base/error.h"
#include "engine/cli/command.h"
#include "engine/host/calls/guard.h"

namespace berth::cli {
namespace {

bool is_command(const CLI::App& app, const std::string& name) {
  const auto commands = app.get_subcommands([&](const CLI::App* c) { return c->check_name(name); });
  return !commands.empty();
}

// What was printed may not have been written: a full disk shows only now.
int finished(const CLI::App& app, int status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  std::fprintf(stderr, "%s: standard output: cannot be written: %s\n", app.get_name().c_str(),
               std::strerror(errno));
  return kFailed;
}

}  // namespace

int run_program(CLI::App& app, int argc, char** argv, const int& status) {
  const std::string name = app.get_name();
  try {
    host::prepare_unwinder();
    if (argc > 1 && argv[1][0] != '-' && !is_command(app, argv[1])) {
      std::fprintf(stderr, "%s: there is no command \"%s\"; %s --help lists them\n", name.c_str(),
                   printable(argv[1]).c_str(), name.c_str());
      return kUsage;
    }
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int exit = app.exit(error);
    return exit != 0 ? kUsage : finished(app, kOk);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), error.what());
    return kFailed;
  }
  return finished(app, status);
}

}  // namespace berth::cli
