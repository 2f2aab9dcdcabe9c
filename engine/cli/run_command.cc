// berth run: a cluster and a stream of pods in, bindings and a summary out.

#include <fmt/format.h>
#include <tbb/global_control.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "engine/base/io/interrupts.h"
#include "engine/base/io/new_file.h"
#include "engine/base/io/overwrite.h"
#include "engine/base/program/checks.h"
#include "engine/base/program/terminal.h"
#include "engine/cli/command.h"
#include "engine/cli/run.h"
#include "engine/output/summary.h"
#include "engine/startup/evaluation_option.h"
#include "engine/startup/plugin_options.h"

namespace berth::cli {
namespace {

void print_page(const output::Summary& summary, const RunOptions& options) {
  if (options.summary == "-") return;
  // Bindings on stdout are data; then the page goes to stderr.
  std::FILE* page = options.bindings == "-" ? stderr : stdout;
  fmt::print(page, "{}", output::to_text(summary, terminal_width(fileno(page))));
}

// Throws Error where one file is named for two things that exclude each other.
void check_files(const RunOptions& options) {
  std::vector<std::string> inputs = options.cluster;
  inputs.push_back(options.pods);
  if (std::count(inputs.begin(), inputs.end(), "-") > 1)
    throw Error("standard input (-) can be read once: name a file for the cluster or the pods");
  inputs.push_back(options.config);
  refuse_overwriting(options.bindings, inputs);
  refuse_overwriting(options.summary, inputs);
  if (is_same_output(options.bindings, options.summary))
    throw Error(Place{.file = options.summary, .field = {}},
                "bindings and the summary cannot go to one file");
}

void write_summary(const output::Summary& summary, const RunOptions& options,
                   std::optional<NewFile>& file) {
  print_page(summary, options);
  if (!file) return;
  file->write(output::to_json(summary));
  file->finish();
}

// The exit status. Throws Error.
int execute(Run& run, const RunOptions& options) try {
  run.load();
  // Before the work, which would be lost if this failed after it.
  std::optional<NewFile> file;
  if (!options.summary.empty()) file.emplace(options.summary);
  try {
    run.schedule();
  } catch (const Error& error) {
    output::Summary summary = run.summary();
    summary.error = error.what();
    write_summary(summary, options, file);
    throw;
  }
  const output::Summary summary = run.summary();
  write_summary(summary, options, file);
  if (summary.interrupted) return kInterrupted;
  return summary.errors_in_input == 0 && summary.pods_failed == 0 ? kOk : kFailed;
} catch (const Interrupted&) {
  return kInterrupted;  // while the cluster was read: nothing was decided
}

// Precondition: one of the names that the option accepts.
runtime::AuditPace audit_pace(const std::string& name) {
  if (name == "never") return runtime::AuditPace::kNever;
  if (name == "dense") return runtime::AuditPace::kDense;
  return name == "every-step" ? runtime::AuditPace::kEveryStep : runtime::AuditPace::kSparse;
}

void add_options(CLI::App& command, RunOptions& options) {
  command
      .add_option("--cluster", options.cluster,
                  "the cluster: nodes, the pods on them, namespaces; JSON, YAML or a stream; - is "
                  "standard input. Without it, the cluster is read from the stream of --pods")
      ->option_text("FILE...");
  command
      .add_option("--pods", options.pods,
                  "the pods to schedule: a stream of frames or of JSON lines, or JSON or YAML; "
                  "unix:PATH is a socket, - standard input")
      ->option_text("FILE")
      ->required();
  command.add_option("--config", options.config, "a KubeSchedulerConfiguration (v1)")
      ->option_text("FILE");
  command.add_option("--seed", options.seed, "seed of the random draws (0)")
      ->check(check::whole_number(0, UINT64_MAX))
      ->option_text("N");
  command
      .add_option_function<std::string>(
          "--tie-break",
          [&options](const std::string& name) {
            options.tie_break =
                name == "name" ? framework::TieBreak::kName : framework::TieBreak::kRandom;
          },
          "choice among nodes with the best score: random (the default), or by name")
      ->check(check::one_of({"random", "name"}))
      ->option_text("random|name");
  command
      .add_option("--percentage-of-nodes-to-score", options.percentage,
                  "overrides the configuration; 0 is kube-scheduler's adaptive rule")
      ->check(check::whole_number(0, 100))
      ->option_text("N");
  command.add_option("--threads", options.threads, "number of threads that evaluate nodes (1)")
      ->check(check::whole_number(1, 1024))
      ->option_text("N");
  command
      .add_option("--bindings", options.bindings,
                  "output of the bindings: JSON lines for - and *.jsonl, else a stream of frames")
      ->option_text("FILE");
  command
      .add_option("--summary", options.summary,
                  "output of the summary as JSON; - is standard output")
      ->option_text("FILE");
  command
      .add_option(
          "--plugin-timeout", options.plugin_timeout_seconds,
          "seconds after which a plugin's call that has not returned ends the run; a call that "
          "takes longer than a third of it fails its pod (30)")
      ->check(check::whole_number(1, 86400))
      ->option_text("N");
  command
      .add_option_function<std::string>(
          "--audit", [&options](const std::string& name) { options.audits = audit_pace(name); },
          "how often Berth checks its own state, and ends with exit status 134 if it is wrong: "
          "never; sparse: in less than 1 % of the time (the default); dense; every-step")
      ->check(check::one_of({"never", "sparse", "dense", "every-step"}))
      ->option_text("never|sparse|dense|every-step");
  command.add_flag("--strict", options.strict, "stop at the first fault in the input");
}

}  // namespace

void add_run(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("run",
                         "schedule pods onto a cluster; exit status 1 if input was rejected "
                         "or a plugin failed, 70 if one did not return, 130 if interrupted");
  auto options = std::make_shared<RunOptions>();
  auto plugins = std::make_shared<startup::PluginOptions>();
  auto evaluation = std::make_shared<startup::EvaluationOption>();
  add_options(*command, *options);
  plugins->add_to(*command);
  evaluation->add_to(*command);
  command->callback([=, &status] {
    options->evaluation = evaluation->evaluation;
    check_files(*options);
    runtime::Plugins found = plugins->discover();
    note_interrupts();
    // Also allows more threads than there are cores, when asked for.
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                    static_cast<size_t>(options->threads));
    Run run(*options, found);
    status = execute(run, *options);
    // The reader thread may be blocked on input that never arrives, so the process does not join
    // it.
    if (status != kInterrupted) return;
    std::fflush(nullptr);
    std::_Exit(status);
  });
}

}  // namespace berth::cli
