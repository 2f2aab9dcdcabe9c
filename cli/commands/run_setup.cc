#include "cli/commands/run_setup.h"

#include <fmt/format.h>

#include "cli/commands/input_options.h"
#include "cli/commands/played_options.h"
#include "engine/base/program/checks.h"

namespace berth::cli {
namespace {

// Precondition: one of the names that the option accepts.
runtime::AuditPace audit_pace(const std::string& name) {
  if (name == "never") return runtime::AuditPace::kNever;
  if (name == "dense") return runtime::AuditPace::kDense;
  return name == "every-step" ? runtime::AuditPace::kEveryStep : runtime::AuditPace::kSparse;
}

void add_decision_options(CLI::App& command, RunOptions& options) {
  command
      .add_option(
          "--config", options.config,
          "a KubeSchedulerConfiguration (v1, v1beta3 or v1beta2), and in another document of "
          "the file a PluginIsolation (berth/v1)")
      ->option_text("FILE");
  command.add_option("--seed", options.core.scheduler.decide.seed, "seed of the random draws (0)")
      ->check(check::whole_number(0, UINT64_MAX))
      ->option_text("N");
  command
      .add_option_function<std::string>(
          "--tie-break",
          [&options](const std::string& name) {
            options.core.scheduler.decide.tie_break =
                name == "name" ? framework::TieBreak::kName : framework::TieBreak::kRandom;
          },
          "choice among nodes with the best score: random (the default; with Kubernetes 1.36 among "
          "nodes that an extender scored, of others by the order of the search), or by name")
      ->check(check::one_of({"random", "name"}))
      ->option_text("random|name");
  command
      .add_option("--percentage-of-nodes-to-score", options.core.scheduler.decide.forced_percentage,
                  "overrides the configuration; 0 is kube-scheduler's adaptive rule")
      ->check(check::whole_number(0, 100))
      ->option_text("N");
  add_thread_option(command, options);
}

void add_audit(CLI::App& command, RunOptions& options) {
  command
      .add_option_function<std::string>(
          "--audit",
          [&options](const std::string& name) { options.core.audits = audit_pace(name); },
          "how often Berth checks its own state, and ends with exit status 134 if it is wrong: "
          "never; sparse: in less than 1 % of the time (the default); dense; every-step")
      ->check(check::one_of({"never", "sparse", "dense", "every-step"}))
      ->option_text("never|sparse|dense|every-step");
}

void add_clock(CLI::App& command, RunOptions& options) {
  command
      .add_option_function<std::string>(
          "--clock",
          [&options](const std::string& name) {
            options.clock = name == "wall" ? drive::ClockKind::kWall : drive::ClockKind::kVirtual;
          },
          "virtual: a decision takes 1 ms, and waits take no real time (the default, also for "
          "pipes and sockets); wall: time passes as the machine's")
      ->check(check::one_of({"virtual", "wall"}))
      ->option_text("virtual|wall");
}

void add_gates(CLI::App& command, startup::RulesOptions& rules) {
  rules.add_to(command);
  command.add_flag_callback(
      "--no-pop-from-backoff",
      [&rules] { rules.gates.emplace_back("SchedulerPopFromBackoffQ=false"); },
      "the same as --feature-gates SchedulerPopFromBackoffQ=false: do not try a pod that backs off "
      "before its time, even if no other pod is active");
}

}  // namespace

void RunSetup::add_to(CLI::App& command) {
  add_decision_options(command, run);
  add_gates(command, rules);
  add_audit(command, run);
  add_admission_options(command, run);
  add_clock(command, run);
  add_wait_options(command, run);
  add_played_options(command, run);
  plugins.add_to(command);
  plugins.add_debugging_to(command);
  evaluation.add_to(command);
  memory.add_to(command);
  verification.add_to(command);
}

void RunSetup::check() {
  memory.check(evaluation.evaluation == framework::Evaluation::kIncremental);
  runtime::SchedulerOptions& scheduler = run.core.scheduler;
  scheduler.evaluation = evaluation.evaluation;
  scheduler.full.ranking_bytes = memory.bytes;
  scheduler.verify_every = verification.every;
  run.core.guard_columns = plugins.guard_columns;
  run.core.deadlines = plugins.deadlines();
}

config::Configuration RunSetup::configuration() const {
  return config::load_or_defaults(run.config, rules.read());
}

}  // namespace berth::cli
