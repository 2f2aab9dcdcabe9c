// berth-bench: how fast a scheduler configuration is, and how good its placement.

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

#include "bench/macro/commands.h"
#include "bench/macro/results.h"
#include "engine/host/guard.h"

namespace {

// What was printed may not have been written: a full disk shows only now.
int finished(int status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  std::fprintf(stderr, "berth-bench: standard output: cannot be written: %s\n",
               std::strerror(errno));
  return berth::bench::kFailed;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace berth::bench;
  CLI::App app("Measures scheduling: speed, cost and the quality of placement.", "berth-bench");
  app.require_subcommand(1);
  int status = kOk;
  add_run(app, shell_line(argc, argv), status);
  add_list(app, status);
  add_compare(app, status);
  try {
    berth::host::prepare_unwinder();
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int exit = app.exit(error);
    return exit != 0 ? kUsage : finished(kOk);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "berth-bench: %s\n", error.what());
    return kFailed;
  }
  return finished(status);
}
