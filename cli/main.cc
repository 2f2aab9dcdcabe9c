// berth: decides where pods run, as kube-scheduler would. Data goes to stdout, everything else to
// stderr.

#include "cli/commands/command.h"
#include "engine/host/calls/checks/guard.h"
#include "engine/host/faults/fault_reports.h"

int main(int argc, char** argv) {
  using namespace berth::cli;
  CLI::App app("Berth schedules pods as kube-scheduler would, hundreds of times as fast.", "berth");
  app.require_subcommand(1);
  int status = berth::kOk;
  berth::host::prepare_unwinder();
  berth::host::report_faults();
  add_run(app, status);
  add_serve(app, status);
  add_fit(app, status);
  add_need(app, status);
  add_explain(app, status);
  add_diff(app, status);
  add_replay(app, status);
  add_evaluate(app, status);
  add_conformance(app, status);
  add_convert(app, status);
  add_config(app, status);
  add_plugin(app, status);
  add_version(app, status);
  return berth::run_program(
      app, argc, argv, status,
      {"berth-bench", "berth-bench sweep", "berth-bench merge", "berth-bench compare",
       "berth-loadgen", "berth-loadgen cluster", "berth-loadgen pods", "berth-loadgen stream"});
}
