// berth diff: one input, two settings; which pods end differently, and which rule decides it.

#include <fmt/format.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <csignal>
#include <memory>
#include <utility>

#include "cli/commands/command.h"
#include "cli/commands/input_options.h"
#include "cli/commands/played_options.h"
#include "cli/diff/live.h"
#include "cli/diff/recorded.h"
#include "cli/diff/sided.h"
#include "cli/diff/spooled.h"
#include "cli/page/report_option.h"
#include "engine/base/io/former_files.h"
#include "engine/base/io/interrupts.h"
#include "engine/base/memory/allocator.h"
#include "engine/base/program/checks.h"
#include "engine/base/program/message_scope.h"
#include "engine/base/program/messages.h"
#include "engine/base/text/joined.h"
#include "engine/config/gates/feature_gates.h"
#include "engine/output/format_option.h"
#include "engine/startup/evaluation_option.h"
#include "engine/startup/plugin_folders.h"
#include "engine/startup/plugin_options.h"
#include "engine/startup/rules_options.h"

namespace berth::cli {
namespace {

// The exit status if pods differ.
constexpr int kDifferent = 3;

std::string any(const std::string& /*value*/) { return {}; }

// The text of CLI11's check; empty: it passes.
SidedOption::Problem checked_by(const CLI::Validator& check) {
  return [check](const std::string& value) {
    std::string text = value;
    return check(text);
  };
}

std::string version_problem(const std::string& value) {
  if (kube_version_named(value)) return {};
  std::vector<std::string_view> known;
  for (const KubeVersion version : kube_versions()) known.push_back(version_text(version));
  return fmt::format("expected one of {}, found \"{}\"", joined(known, ", "), value);
}

std::string plugins_problem(const std::string& value) {
  return value.empty() ? std::string() : checked_by(startup::is_folder_list())(value);
}

std::string percentage_problem(const std::string& value) {
  return value.empty() ? std::string() : checked_by(check::whole_number(0, 100))(value);
}

struct DiffOptions {
  RunOptions run;  // of both settings
  SidedOption version{"--kube-version", std::string(version_text(kDefaultKubeVersion)),
                      version_problem};
  SidedOption gates{"--feature-gates", {}, any, SidedOption::Cut::kNever};
  SidedOption config{"--config", {}, any};
  SidedOption plugins{"--plugins", {}, plugins_problem};
  SidedOption seed{"--seed", "0", checked_by(check::whole_number(0, UINT64_MAX))};
  SidedOption tie_break{"--tie-break", "random", checked_by(check::one_of({"random", "name"}))};
  SidedOption percentage{"--percentage-of-nodes-to-score", {}, percentage_problem};
  startup::PluginOptions plugin_options;
  startup::EvaluationOption evaluation;
  std::string report;  // empty: none is written
  size_t most = 10;    // pods of a group
  std::shared_ptr<const output::FormatOption> format;

  std::vector<SidedOption*> sided() {
    return {&version, &gates, &config, &plugins, &seed, &tie_break, &percentage};
  }
  bool compares_results() const {
    return run.dumps.size() == 2 && run.cluster.empty() && run.pods.empty() &&
           std::ranges::all_of(run.dumps, holds_results);
  }
};

// Pairs of names and values, of those settings that the user gave or that differ.
std::vector<std::pair<std::string, std::string>> settings_of(const DiffOptions& options,
                                                             const config::Configuration& read,
                                                             size_t side) {
  const auto or_default = [](const std::string& value) {
    return value.empty() ? std::string("(default)") : value;
  };
  std::vector<std::pair<std::string, std::string>> settings = {
      {"Kubernetes", std::string(version_text(read.rules.version()))},
      {"configuration", or_default(options.config[side])},
      {"seed", options.seed[side]}};
  const auto add = [&](const char* name, const SidedOption& option) {
    if (option.differs()) settings.emplace_back(name, or_default(option[side]));
  };
  add("feature gates", options.gates);
  add("plugins", options.plugins);
  add("ties are broken by", options.tie_break);
  add("percentage of nodes to score", options.percentage);
  return settings;
}

RunOptions run_options_of(const DiffOptions& options, size_t side) {
  RunOptions run = options.run;
  run.config = options.config[side];
  framework::DecideOptions& decide = run.core.scheduler.decide;
  decide.seed = std::stoull(options.seed[side]);
  decide.tie_break =
      options.tie_break[side] == "name" ? framework::TieBreak::kName : framework::TieBreak::kRandom;
  if (!options.percentage[side].empty())
    decide.forced_percentage = std::stoi(options.percentage[side]);
  run.core.scheduler.evaluation = options.evaluation.evaluation;
  run.core.guard_columns = options.plugin_options.guard_columns;
  run.core.deadlines = options.plugin_options.deadlines();
  return run;
}

LiveSide side_of(const DiffOptions& options, size_t side) {
  startup::RulesOptions rules{.version = options.version[side], .gates = {}};
  if (!options.gates[side].empty()) rules.gates.push_back(options.gates[side]);
  startup::PluginOptions plugins = options.plugin_options;
  if (!options.plugins[side].empty()) plugins.lists = {options.plugins[side]};
  config::Configuration configuration =
      config::load_or_defaults(options.config[side], rules.read());
  runtime::Plugins found = plugins.discover(configuration.isolation);
  auto settings = settings_of(options, configuration, side);
  return {run_options_of(options, side), std::move(configuration), std::move(found),
          std::move(settings)};
}

// Throws CLI::ValidationError.
void check_given(DiffOptions& options, bool results) {
  for (SidedOption* option : options.sided()) option->read();
  for (size_t side = 0; side < 2; ++side) try {
      config::read_feature_gates(options.gates[side], *kube_version_named(options.version[side]));
    } catch (const Error& error) {
      throw CLI::ValidationError("--feature-gates", error.message());
    }
  const bool differ =
      std::ranges::any_of(options.sided(), [](const SidedOption* one) { return one->differs(); });
  if (results && differ)
    throw CLI::ValidationError("FILE", "results of recorded runs have their settings already");
  if (results) return;
  check_inputs(options.run, "berth diff");
  if (!differ)
    throw CLI::ValidationError(
        "--config",
        "the two settings are equal: give two values of --config, --kube-version, "
        "--feature-gates, --plugins, --seed, --tie-break or "
        "--percentage-of-nodes-to-score");
}

// Throws Error where the report would destroy an input.
void check_report(const DiffOptions& options) {
  const RunOptions& run = options.run;
  std::vector<std::string> inputs = run.dumps;
  inputs.insert(inputs.end(), run.cluster.begin(), run.cluster.end());
  inputs.push_back(run.pods);
  if (std::ranges::count(inputs, "-") > 1)
    throw Error("standard input: can be read once: name files for the others");
  for (const std::string& config : options.config.values()) inputs.push_back(config);
  inputs.push_back(run.admission_plugins.file());
  check_report_file(options.report, inputs, *options.format);
}

Difference compare(DiffOptions& options) {
  const SpooledInputs spooled(options.run);
  const MessageScope scope(spooled.names());
  try {
    return compare_live({side_of(options, 0), side_of(options, 1)});
  } catch (const Error& error) {
    throw Error(scope.of_user(error.what()));
  }
}

// As of `berth run`: input that was rejected, and plugins that failed.
bool failed(const Difference& difference) {
  return std::ranges::any_of(difference.runs, [](const RunFacts& run) {
    return run.summary && (run.summary->errors_in_input != 0 || !run.summary->failures.empty());
  });
}

int show(const DiffOptions& options, const Difference& difference, ReportFile& report) {
  report.write([&] { return to_page(difference); });
  const auto text = [&](size_t most) { return to_text(difference, {.pods = most}); };
  if (!report.is_standard_output())
    options.format->print({.text = [&] { return text(options.most); },
                           .wide = [&] { return text(SIZE_MAX - 1); },
                           .json = [&] { return to_json(difference); }});
  if (difference.partial) return kInterrupted;
  if (failed(difference)) return kFailed;
  return difference.pods.empty() ? kOk : kDifferent;
}

int diff(DiffOptions& options) {
  const bool results = options.compares_results();
  check_given(options, results);
  check_report(options);
  const FormerFiles former(std::vector<std::string>{options.report});
  ReportFile report(options.report);
  if (results)
    return show(options, compare_recorded({options.run.dumps[0], options.run.dumps[1]}), report);
  options.run.admission_plugins.check_effect(options.run.admission);
  ask_for_large_pages();
  prepare_pages_ahead();
  note_interrupts();
  std::signal(SIGPIPE, SIG_IGN);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<size_t>(options.run.threads));
  try {
    return show(options, compare(options), report);
  } catch (const Interrupted&) {
    say("interrupted before the second of the two runs, so there is no answer");
    return kInterrupted;
  }
}

void add_sided_options(CLI::App& command, DiffOptions& options) {
  options.version.add_to(command, "the version of kube-scheduler whose rules decide",
                         "VERSION[,VERSION]");
  options.gates.add_to(command,
                       "kube-scheduler's feature gates, as of berth run; given twice, the first is "
                       "of A, the second of B",
                       "NAME=true|false,...");
  options.config.add_to(command,
                        "a KubeSchedulerConfiguration; nothing before or behind the comma is the "
                        "defaults",
                        "FILE[,FILE]");
  options.seed.add_to(command, "seed of the random draws (0)", "N[,N]");
  options.tie_break.add_to(command,
                           "choice among nodes with the best score: random (the default), or by "
                           "name",
                           "random|name[,...]");
  options.percentage.add_to(command, "overrides the configuration; 0 is the adaptive rule",
                            "N[,N]");
}

void add_plugin_options(CLI::App& command, DiffOptions& options) {
  options.plugin_options.add_to(command);
  // Here it has a value for each setting.
  command.remove_option(command.get_option("--plugins"));
  options.plugins.add_to(command,
                         "folders with plugins, searched besides those of the variable "
                         "BERTH_PLUGIN_PATH and the default ones",
                         "DIR[:DIR...][,DIR...]");
  options.plugin_options.add_debugging_to(command);
}

void add_outputs(CLI::App& command, DiffOptions& options) {
  using output::OutputFormat;
  add_report_option(command, options.report);
  command.add_option("--limit", options.most, "pods of each rule that the page shows (10)")
      ->check(check::whole_number(0, UINT32_MAX))
      ->option_text("N");
  options.format = output::add_format(
      command, {{OutputFormat::kText, "the pods that differ by the rule that decides"},
                {OutputFormat::kWide, "with all pods"},
                {OutputFormat::kJson, ""},
                {OutputFormat::kYaml, "everything, with scores"}});
}

}  // namespace

void add_diff(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "diff",
      "schedule one input with two settings, A and B, and show which pods end differently and "
      "which rule decides; or compare two files of results. Exit status 0 if none differs, 3 if "
      "some do, 1 on faults");
  auto options = std::make_shared<DiffOptions>();
  add_input_options(*command, options->run);
  command->get_option("FILE")->description(
      "a cluster and its pods, as of berth run; or two files that berth run --results wrote");
  add_sided_options(*command, *options);
  add_thread_option(*command, options->run);
  add_admission_options(*command, options->run);
  add_wait_options(*command, options->run);
  add_played_options(*command, options->run);
  add_plugin_options(*command, *options);
  options->evaluation.add_to(*command);
  add_outputs(*command, *options);
  command->callback([=, &status] { status = diff(*options); });
}

}  // namespace berth::cli
