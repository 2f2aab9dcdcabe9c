#include "cli/commands/question_options.h"

#include <cstdio>
#include <cstdlib>

#include "cli/commands/input_options.h"
#include "engine/base/io/interrupts.h"
#include "engine/base/memory/allocator.h"
#include "engine/base/program/checks.h"
#include "engine/base/program/program.h"

namespace berth::cli {

void add_cluster_option(CLI::App& command, RunOptions& run) {
  command
      .add_option("--cluster", run.cluster,
                  "the cluster: nodes, the pods on them, and what else scheduling reads; JSON or "
                  "YAML files, folders with such, or a stream; - is standard input")
      ->required()
      ->option_text("FILE...");
}

void QuestionOptions::add_to(CLI::App& command, RunOptions& run) {
  command.add_option("--config", run.config, "a KubeSchedulerConfiguration (the defaults)")
      ->option_text("FILE");
  command.add_option("--seed", run.core.scheduler.decide.seed, "seed of the random draws (0)")
      ->check(check::whole_number(0, UINT64_MAX))
      ->option_text("N");
  rules.add_to(command);
  add_thread_option(command, run);
  add_admission_options(command, run);
  plugins.add_to(command);
  plugins.add_debugging_to(command);
  evaluation.add_to(command);
}

Prepared QuestionOptions::prepare(RunOptions& run) {
  run.admission_plugins.check_effect(run.admission);
  run.core.scheduler.evaluation = evaluation.evaluation;
  run.core.guard_columns = plugins.guard_columns;
  run.core.deadlines = plugins.deadlines();
  ask_for_large_pages();
  prepare_pages_ahead();
  config::Configuration configuration = config::load_or_defaults(run.config, rules.read());
  runtime::Plugins found = plugins.discover(configuration.isolation);
  note_interrupts();
  return {std::move(configuration), std::move(found)};
}

void end_at_once(int status) {
  if (status != kInterrupted) return;
  std::fflush(nullptr);
  std::_Exit(status);
}

}  // namespace berth::cli
