// berth: decides where pods run, as kube-scheduler would. Data goes to stdout, everything else to
// stderr.

#include <cstdio>
#include <exception>

#include "engine/base/error.h"
#include "engine/cli/command.h"
#include "engine/host/guard.h"

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
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kOk : kUsage;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "berth: %s\n", error.what());
    return kFailed;
  }
  return status;
}
