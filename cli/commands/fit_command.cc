// berth fit: how many copies of pods fit into a cluster.

#include <tbb/global_control.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "cli/commands/command.h"
#include "cli/commands/question_options.h"
#include "cli/diff/spooled.h"
#include "cli/fit/fit.h"
#include "engine/base/program/checks.h"
#include "engine/output/format_option.h"

namespace berth::cli {
namespace {

using output::OutputFormat;

struct FitCommand {
  FitOptions fit;
  QuestionOptions question;
  std::shared_ptr<const output::FormatOption> format;
};

void add_fit_options(CLI::App& command, FitCommand& options) {
  command
      .add_option("--pod", options.fit.pods,
                  "what is copied: a pod, a workload or a PodGroup with its pods; JSON or YAML "
                  "files, folders with such, - is standard input. Of several, one of each in turn")
      ->required()
      ->option_text("FILE...");
  auto* count =
      command
          .add_option_function<std::string>(
              "--count",
              [&options](const std::string& text) { options.fit.limits.count = std::stoull(text); },
              "copies of each that are to fit (as many as do)")
          ->check(check::whole_number(1, UINT32_MAX))
          ->option_text("N");
  command
      .add_flag("--replicas", options.fit.limits.replicas,
                "as many copies are to fit as the manifests ask for; one of a bare pod and of a "
                "group")
      ->excludes(count);
  command.add_flag("--preempt", options.fit.limits.preempt,
                   "copies may evict pods of lower priority");
}

// Throws Error.
void check_standard_input(const FitOptions& options) {
  std::vector<std::string> inputs = options.run.cluster;
  inputs.insert(inputs.end(), options.pods.begin(), options.pods.end());
  if (std::ranges::count(inputs, "-") > 1)
    throw Error("standard input: can be read once: name files for the others");
}

int ask_fit(FitCommand& options) {
  check_standard_input(options.fit);
  Prepared prepared = options.question.prepare(options.fit.run);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<size_t>(options.fit.run.threads));
  const SpooledInputs spooled(options.fit.run, options.fit.pods);
  const MessageScope scope(spooled.names());
  try {
    return show_answer(*options.format, fit(options.fit, prepared.configuration, prepared.plugins));
  } catch (const Error& error) {
    throw Error(scope.of_user(error.what()));
  }
}

}  // namespace

void add_fit(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "fit",
      "how many copies of a pod, a workload or a gang fit into a cluster, where they go, and what "
      "limits them. Exit status 0 if they fit, 3 if not, 1 on faults, 130 if interrupted");
  auto options = std::make_shared<FitCommand>();
  add_cluster_option(*command, options->fit.run);
  options->question.add_to(*command, options->fit.run);
  add_fit_options(*command, *options);
  options->format = output::add_format(
      *command, {{OutputFormat::kText, "copies, zones and nodes"},
                 {OutputFormat::kWide, "with all nodes, and the use of resources"},
                 {OutputFormat::kJson, ""},
                 {OutputFormat::kYaml, "everything"}});
  command->callback([=, &status] {
    status = ask_fit(*options);
    end_at_once(status);
  });
}

}  // namespace berth::cli
