// berth-serve: what `berth serve` starts. Its command line is that of `berth`.

#include "cli/serve/service.h"
#include "engine/base/program/program.h"
#include "engine/host/calls/checks/guard.h"
#include "engine/host/faults/fault_reports.h"
#include "engine/startup/serve/serve_command.h"

int main(int argc, char** argv) {
  CLI::App app("Berth schedules the pods of a real cluster.", "berth");
  app.require_subcommand(1);
  int status = berth::kOk;
  berth::host::prepare_unwinder();
  berth::host::report_faults();
  berth::startup::add_serve(app, status, berth::cli::serve);
  return berth::run_program(app, argc, argv, status);
}
