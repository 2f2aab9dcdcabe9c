// berth-bench run: runs workloads in all requested variants and reports the results.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include "bench/macro/commands.h"
#include "bench/macro/results/results.h"
#include "bench/macro/run/allocations.h"
#include "bench/macro/run/planned_run.h"
#include "bench/macro/run/selection.h"
#include "engine/base/io/overwrite.h"
#include "engine/base/memory/allocator.h"
#include "engine/base/program/checks.h"
#include "engine/base/program/messages.h"
#include "engine/base/program/program.h"
#include "engine/base/text/printable.h"
#include "engine/output/format_option.h"
#include "engine/startup/evaluation_option.h"
#include "engine/startup/plugin_folders.h"
#include "engine/startup/plugin_options.h"
#include "engine/startup/rules_options.h"

namespace berth::bench {
namespace {

constexpr char kDefaultWorkload[] = "mixed";
constexpr size_t kTraceEvents = 100'000;

struct RunOptions {
  std::vector<std::string> names;
  std::string pattern;
  std::vector<std::string> settings;
  Comparison lists;
  Variant base;
  startup::RankingMemoryOption memory;
  startup::VerificationOption verification;
  startup::RulesOptions rules;
  RepeatOptions repeat;
  std::string report;
  std::shared_ptr<const output::FormatOption> format;
};

// Parses "NAME=VALUE[,VALUE...]".
void add_setting(const std::string& text, Comparison& lists) {
  const size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos)
    throw UsageError("--set: expected NAME=VALUE[,VALUE...], found \"" + printable(text) + "\"");
  std::vector<std::string>& values = lists.parameters[text.substr(0, equals)];
  if (!values.empty())
    throw UsageError("--set: " + text.substr(0, equals) +
                     " is set twice; list its values: NAME=A,B");
  for (size_t begin = equals + 1; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    values.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

// The settings that this workload has. If it is the only one, all of them, so that opening it
// reports unknown ones.
Comparison lists_for(const loadgen::Workload& workload, const Comparison& lists, bool only) {
  Comparison own = lists;
  if (!only)
    std::erase_if(own.parameters, [&](const auto& setting) {
      return !workload.parameters.contains(setting.first);
    });
  return own;
}

// Throws UsageError for invalid settings, so that a fault of the last run shows before the first
// run.
std::vector<PlannedRun> plan(const std::vector<loadgen::Workload>& workloads,
                             const RunOptions& options) {
  for (const auto& [name, values] : options.lists.parameters)
    if (workloads.size() > 1 && std::ranges::none_of(workloads, [&, &name = name](const auto& w) {
          return w.parameters.contains(name);
        }))
      throw UsageError(fmt::format("--set {}: none of these workloads has a parameter \"{}\"",
                                   printable(name), printable(name)));
  std::vector<PlannedRun> runs;
  for (const loadgen::Workload& workload : workloads)
    for (Variant& variant :
         variants(options.base, lists_for(workload, options.lists, workloads.size() == 1))) {
      if (workload.missing.empty()) workload.open({variant.seed, variant.parameters});
      runs.push_back({&workload, std::move(variant)});
    }
  return runs;
}

void check_trace(const RunOptions& options, size_t runs) {
  if (options.repeat.trace.empty()) return;
  if (runs != 1) throw Error(fmt::format("--trace: records one run, and {} are requested", runs));
  if (is_same_output(options.repeat.trace, options.report))
    throw Error("--trace: is the file of --report; name another");
  if (options.repeat.warm_up == 0)
    throw Error(
        "--trace: records a warm-up, which times every call, and there is none: set --warm-up to 1 "
        "or more");
}

int run(const RunOptions& options, const std::string& line) {
  RunOptions with = options;
  for (const std::string& setting : options.settings) add_setting(setting, with.lists);
  const std::vector<loadgen::Workload> workloads = select_workloads(
      with.names.empty() ? std::vector<std::string>{kDefaultWorkload} : with.names, with.pattern);
  const std::vector<PlannedRun> runs = plan(workloads, with);
  check_trace(with, runs.size());
  refuse_overwriting_inputs(with.report, runs);
  refuse_overwriting_inputs(with.repeat.trace, runs);
  ReportFile report(with.report, {with.repeat.trace});
  with.repeat.allocations = allocation_counter();

  const Measured measured = measure_all(runs, with.repeat, line);
  if (!measured.document) return kFailed;
  const rapidjson::Document& document = *measured.document;
  const std::string json = to_json(document);
  report.write(json);  // first, since standard output may be closed by now
  with.format->print({.text = [&] { return to_text(document); },
                      .wide = [&] { return to_text(document, Columns::kAll); },
                      .json = [&] { return json; },
                      .names = [&] { return run_names(document); }});
  if (interrupted()) return kInterrupted;
  return measured.failed.empty() ? kOk : kFailed;
}

template <typename Value>
CLI::Option* list(CLI::App& command, const char* name, std::vector<Value>& values,
                  const char* description) {
  return command.add_option(name, values, description)->delimiter(',');
}

void add_workload_options(CLI::App& command, RunOptions& options) {
  command
      .add_option("NAME", options.names,
                  "presets, workload files, kube-scheduler's benchmark definitions, traces, dumps "
                  "(mixed)")
      ->option_text("[NAME|FILE]...");
  command
      .add_option("--workload", options.pattern,
                  "only workloads whose names match; * and ? are wildcards")
      ->option_text("PATTERN");
  command
      .add_option("--set", options.settings,
                  "set a parameter of the workload, or several values to compare; can be repeated")
      ->option_text("NAME=VALUE[,VALUE...]");
  command.add_option("--seed", options.base.seed, "seed of the random draws (0)")
      ->check(check::whole_number(0, UINT64_MAX))
      ->option_text("N");
  command
      .add_option_function<std::string>(
          "--clock",
          [&options](const std::string& name) {
            options.base.clock = name == "wall" ? Clock::kWall : Clock::kNone;
          },
          "none: pods arrive as fast as they are scheduled (default); wall: at their planned "
          "times, "
          "even if the scheduler is behind")
      ->check(check::one_of({"none", "wall"}))
      ->option_text("none|wall");
  options.base.controllers.add_to(command, "--clock=none");
  command
      .add_option("--speed", options.base.speed,
                  "with --clock wall: planned seconds per clock second (1)")
      ->check(check::number(1e-3, 1e9))
      ->option_text("X");
}

// Each option takes a list; every combination is run.
void add_lists(CLI::App& command, RunOptions& options) {
  Comparison& lists = options.lists;
  list(command, "--percentage-of-nodes-to-score", lists.percentages,
       "overrides the configuration; 0 is the adaptive rule. A list runs each value")
      ->check(check::whole_number(0, 100))
      ->option_text("N,...");
  list(command, "--threads", lists.threads,
       "maximum number of threads that evaluate nodes (1). A list runs each value")
      ->check(check::whole_number(1, 1024))
      ->option_text("N,...");
  command
      .add_option_function<std::vector<std::string>>(
          "--evaluation",
          [&lists](const std::vector<std::string>& names) {
            for (const std::string& name : names)
              lists.evaluations.push_back(startup::evaluation_of(name));
          },
          "reference, full or incremental (default). A list runs each value")
      ->delimiter(',')
      ->check(startup::is_evaluation())
      ->option_text("NAME,...");
  options.memory.add_to(command);
  options.verification.add_to(command);
  list(command, "--config", lists.configs,
       "a KubeSchedulerConfiguration (v1, v1beta3 or v1beta2), and in another document of the file "
       "a PluginIsolation (berth/v1); \"default\" is the workload's own. A list runs each value")
      ->option_text("FILE,...");
  options.rules.add_to(command);
  list(command, "--plugins", lists.plugins,
       "folders with plugins, searched besides those of the variable BERTH_PLUGIN_PATH and the "
       "default ones, ~/.local/lib/berth/plugins and the one that comes with berth. A list runs "
       "each value; \"default\" adds none")
      ->check(startup::is_folder_list())
      ->option_text("DIR[:DIR...],...");
  startup::add_plugin_timeout(command, options.base.call_limit);
  options.base.isolation.add_to(command);
  command.add_flag_callback(
      "--no-default-plugins", [&lists] { lists.default_plugins = false; },
      "do not search the default folders, except for \"default\" in --plugins");
}

void add_repeat_options(CLI::App& command, RunOptions& options) {
  command
      .add_option("--repetitions", options.repeat.repetitions, "number of measured repetitions (5)")
      ->check(check::whole_number(1, 1000))
      ->option_text("N");
  command
      .add_option(
          "--warm-up", options.repeat.warm_up,
          "number of unmeasured repetitions before (1); the last one times every call of a plugin")
      ->check(check::whole_number(0, 1000))
      ->option_text("N");
  command.add_option("--report", options.report, "write the report, one HTML page, to this file")
      ->option_text("FILE.html");
  command
      .add_option("--trace", options.repeat.trace,
                  "write a Chrome trace of one run, for Perfetto, to this file")
      ->option_text("FILE");
  command
      .add_option("--trace-events", options.repeat.trace_events,
                  "limit for cycles, and for calls per thread (100000); dropped events are counted")
      ->check(check::whole_number(1, 10'000'000))
      ->option_text("N");
  using output::OutputFormat;
  options.format =
      output::add_format(command, {{OutputFormat::kText, "a table"},
                                   {OutputFormat::kWide, "with more columns and all digits"},
                                   {OutputFormat::kJson, ""},
                                   {OutputFormat::kYaml, "all measurements"},
                                   {OutputFormat::kName, "run/NAME of each run"}});
}

}  // namespace

void add_run(CLI::App& app, const std::string& line, int& status) {
  CLI::App* command = app.add_subcommand(
      "run", "run workloads and measure them; every combination of listed values is a run");
  auto options = std::make_shared<RunOptions>();
  options->repeat.trace_events = kTraceEvents;
  add_workload_options(*command, *options);
  add_lists(*command, *options);
  add_repeat_options(*command, *options);
  command->callback([command, options, line, &status] {
    if (command->count("--speed") != 0 && options->base.clock != Clock::kWall)
      throw Error("--speed: has no effect without --clock wall: add it, or leave out --speed");
    if (!options->lists.default_plugins && options->lists.plugins.empty())
      throw Error("--no-default-plugins: leaves no folder: name one with --plugins");
    if (command->count("--trace-events") != 0 && options->repeat.trace.empty())
      throw Error(
          "--trace-events: has no effect without --trace: add it, or leave out this option");
    const std::vector<framework::Evaluation>& evaluations = options->lists.evaluations;
    options->memory.check(evaluations.empty() ||
                          std::ranges::find(evaluations, framework::Evaluation::kIncremental) !=
                              evaluations.end());
    options->base.ranking_bytes = options->memory.bytes;
    options->base.verify_every = options->verification.every;
    options->base.rules = options->rules.read();
    ask_for_large_pages();
    status = run(*options, line);
  });
}

}  // namespace berth::bench
