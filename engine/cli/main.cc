// berth: decides where pods run, as kube-scheduler would. Data goes to stdout, everything else to
// stderr.

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

#include "engine/base/error.h"
#include "engine/cli/command.h"
#include "engine/host/guard.h"

namespace {

bool is_command(const CLI::App& app, const std::string& name) {
  const auto commands = app.get_subcommands([&](const CLI::App* c) { return c->check_name(name); });
  return !commands.empty();
}

// What was printed may not have been written: a full disk shows only now.
int finished(int status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  std::fprintf(stderr, "berth: standard output: cannot be written: %s\n", std::strerror(errno));
  return berth::cli::kFailed;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace berth::cli;
  CLI::App app("Berth schedules pods as kube-scheduler would, at about a thousand times its speed.",
               "berth");
  app.require_subcommand(1);
  int status = kOk;
  add_run(app, status);
  add_explain(app, status);
  add_evaluate(app, status);
  add_conformance(app, status);
  add_plugin(app, status);
  add_version(app, status);
  try {
    berth::host::prepare_unwinder();
    if (argc > 1 && argv[1][0] != '-' && !is_command(app, argv[1])) {
      std::fprintf(stderr, "berth: there is no command \"%s\"; berth --help lists them\n",
                   berth::printable(argv[1]).c_str());
      return kUsage;
    }
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int exit = app.exit(error);
    return exit != 0 ? kUsage : finished(kOk);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "berth: %s\n", error.what());
    return kFailed;
  }
  return finished(status);
}
