#include "cli/commands/what_if_command.h"

#include <tbb/global_control.h>

#include <algorithm>
#include <csignal>
#include <optional>
#include <utility>
#include <vector>

#include "cli/commands/input_options.h"
#include "cli/commands/question_options.h"
#include "cli/diff/spooled.h"
#include "cli/page/report_option.h"
#include "cli/what_if/what_if.h"
#include "engine/base/io/former_files.h"
#include "engine/base/io/interrupts.h"
#include "engine/base/memory/allocator.h"
#include "engine/base/program/message_scope.h"
#include "engine/base/program/program.h"

namespace berth::cli {
namespace {

using output::OutputFormat;

// Throws Error where an option is about one run, and two are made.
void refuse_outputs_of_a_run(const RunOptions& run, const std::string& record,
                             const output::FormatOption& format) {
  const std::pair<const char*, bool> given[] = {
      {"--bindings", !run.bindings.empty()},
      {"--summary", !run.summary.empty()},
      {"--results", !run.results.empty()},
      {"--events", !run.events.empty()},
      {"--metrics", !run.metrics.empty()},
      {"--serve-metrics", run.serve_metrics.has_value()},
      {"--scores", run.other_scores.has_value()},
      {"-v", run.log_level != 0},
      {"--record", !record.empty()},
      {"-o name", format.format() == OutputFormat::kName}};
  for (const auto& [option, is_given] : given)
    if (is_given)
      throw UsageError(Error(std::string(option) +
                             ": --what-if compares two runs, and prints no output of one: leave "
                             "it out"));
  if (run.clock == drive::ClockKind::kWall)
    throw UsageError(Error("--clock=wall: --what-if plays two runs by the virtual clock"));
}

// Throws Error where a file is read twice, or would be destroyed.
void check_what_if_files(const WhatIfOptions& options, const RunOptions& run,
                         const output::FormatOption& format) {
  std::vector<std::string> inputs = run.dumps;
  inputs.insert(inputs.end(), run.cluster.begin(), run.cluster.end());
  inputs.push_back(run.pods);
  inputs.push_back(options.script);
  if (std::ranges::count(inputs, "-") > 1)
    throw Error("standard input: can be read once: name files for the others");
  inputs.push_back(run.config);
  inputs.push_back(run.admission_plugins.file());
  check_report_file(run.report, inputs, format);
}

WhatIfSettings settings_from(const RunSetup& setup) {
  config::Configuration configuration = setup.configuration();
  runtime::Plugins found = setup.discover(configuration);
  return {std::move(configuration), std::move(found)};
}

// Those of the script's step `configure`.
WhatIfSettings other_settings(const RunSetup& setup, const OtherConfiguration& other) {
  startup::RulesOptions rules = setup.rules;
  if (!other.version.empty()) rules.version = other.version;
  if (!other.gates.empty()) rules.gates.push_back(other.gates);
  config::Configuration configuration =
      config::load_or_defaults(other.file.empty() ? setup.run.config : other.file, rules.read());
  runtime::Plugins found = setup.discover(configuration);
  return {std::move(configuration), std::move(found)};
}

WhatIf answer_of(RunSetup& setup, const Script& script) {
  RunOptions run = setup.run;
  const SpooledInputs spooled(run);
  const MessageScope scope(spooled.names());
  try {
    std::optional<WhatIfSettings> other;
    if (script.other() != nullptr) other = other_settings(setup, *script.other());
    return what_if(run, settings_from(setup), std::move(other), script);
  } catch (const Error& error) {
    throw Error(scope.of_user(error.what()));
  }
}

// As of a run: input that was rejected, and plugins that failed.
bool has_failed(const WhatIf& answer) {
  return std::ranges::any_of(answer.runs.runs, [](const RunFacts& run) {
    return run.summary && (run.summary->errors_in_input != 0 || !run.summary->failures.empty());
  });
}

int show_what_if(const WhatIf& answer, const output::FormatOption& format, ReportFile& report) {
  report.write([&] { return to_page(answer); });
  if (!report.is_standard_output())
    format.print({.text = [&] { return to_text(answer, false); },
                  .wide = [&] { return to_text(answer, true); },
                  .json = [&] { return to_json(answer); }});
  if (answer.partial) return kInterrupted;
  if (has_failed(answer)) return kFailed;
  return answer.worse() == 0 && answer.drains_undone() == 0 ? kOk : kDoesNotFit;
}

constexpr char kNothingYet[] =
    "interrupted before the run with the script began, so there is no answer";

}  // namespace

void add_what_if_options(CLI::App& command, WhatIfOptions& options) {
  command
      .add_option(
          "--what-if", options.script,
          "a document of kind WhatIf, or the events of a watch: play the input, and "
          "again with these changes, and show what becomes of every pod; exit status 3 if a "
          "pod that ran does not run any more, or a drain is not done")
      ->option_text("FILE");
}

int ask_what_if(const WhatIfOptions& options, RunSetup& setup, const std::string& record,
                const output::FormatOption& format) {
  check_inputs(setup.run, "berth run");
  refuse_outputs_of_a_run(setup.run, record, format);
  check_what_if_files(options, setup.run, format);
  setup.run.admission_plugins.check_effect(setup.run.admission);
  const FormerFiles former(std::vector<std::string>{setup.run.report});
  ReportFile report(setup.run.report);
  const Script script = read_script(options.script);
  ask_for_large_pages();
  prepare_pages_ahead();
  note_interrupts();
  std::signal(SIGPIPE, SIG_IGN);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<size_t>(setup.run.threads));
  try {
    return show_what_if(answer_of(setup, script), format, report);
  } catch (const Interrupted&) {
    say(kNothingYet);
    return kInterrupted;
  }
}

}  // namespace berth::cli
