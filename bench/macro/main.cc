// berth-bench: measures the speed of a scheduler configuration and the quality of its placements.

#include "bench/macro/commands.h"
#include "bench/macro/results/results.h"
#include "engine/base/program/program.h"
#include "engine/host/calls/checks/guard.h"
#include "engine/host/faults/fault_reports.h"

int main(int argc, char** argv) {
  using namespace berth::bench;
  CLI::App app("Measures scheduling: speed, cost and the quality of placement.", "berth-bench");
  app.require_subcommand(1);
  int status = berth::kOk;
  berth::host::prepare_unwinder();
  berth::host::report_faults();
  add_run(app, shell_line(argc, argv), status);
  add_sweep_command(app, shell_line(argc, argv), status);
  add_merge(app, shell_line(argc, argv), status);
  add_list(app, status);
  add_compare(app, status);
  return berth::run_program(app, argc, argv, status);
}
