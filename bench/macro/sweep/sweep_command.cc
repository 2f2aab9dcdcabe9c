// berth-bench sweep: many settings over one load.

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "bench/macro/commands.h"
#include "bench/macro/results/results.h"
#include "bench/macro/run/allocations.h"
#include "bench/macro/run/planned_run.h"
#include "bench/macro/run/selection.h"
#include "bench/macro/sweep/sweep_document.h"
#include "bench/macro/sweep/sweep_plan.h"
#include "engine/base/memory/allocator.h"
#include "engine/base/program/checks.h"
#include "engine/base/program/messages.h"
#include "engine/base/program/program.h"
#include "engine/base/text/number_text.h"
#include "engine/base/text/printable.h"
#include "engine/output/format_option.h"
#include "engine/startup/plugin_folders.h"
#include "engine/startup/plugin_options.h"
#include "engine/startup/rules_options.h"

namespace berth::bench {
namespace {

constexpr uint64_t kMostCombinations = 1000;

struct SweepOptions {
  std::string name = "mixed";
  std::string pattern;
  std::vector<std::string> settings, vary, front;
  std::string part = "1/1";
  uint64_t most = kMostCombinations;
  Variant base;
  std::string plugins;
  bool default_plugins = true;
  startup::RulesOptions rules;
  RepeatOptions repeat;
  std::string report;
  std::shared_ptr<const output::FormatOption> format;
};

void set_parameters(const std::vector<std::string>& settings, Variant& base) {
  for (const std::string& text : settings) {
    const size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos)
      throw UsageError("--set: expected NAME=VALUE, found \"" + printable(text) + "\"");
    if (!base.parameters.emplace(text.substr(0, equals), text.substr(equals + 1)).second)
      throw UsageError("--set: " + printable(text.substr(0, equals)) +
                       " is set twice; to compare values, --vary set:" +
                       printable(text.substr(0, equals)) + "=A,B");
  }
}

Variant base_of(const SweepOptions& options) {
  Comparison lists;
  if (!options.plugins.empty()) lists.plugins = {options.plugins};
  lists.default_plugins = options.default_plugins;
  Variant base = variants(options.base, lists).front();
  base.rules = options.rules.read();
  set_parameters(options.settings, base);
  return base;
}

SettingsGrid grid_of(const SweepOptions& options) {
  if (options.vary.empty())
    throw UsageError("--vary: name what varies, such as --vary percentage=10,50,100");
  std::vector<Axis> axes;
  for (const std::string& text : options.vary) axes.push_back(parse_axis(text));
  return SettingsGrid(std::move(axes), options.most);
}

// An option and an axis would set the same twice.
void refuse_both(const CLI::App& command, const Variant& base, const SettingsGrid& grid) {
  for (const Axis& axis : grid.axes()) {
    const std::string option = axis.name == "config" ? "--config" : "--" + axis.name;
    for (const char* known : {"--seed", "--config", "--kube-version"})
      if (option == known && command.count(option) != 0)
        throw UsageError(fmt::format("{}: is varied, too; leave out one of the two", option));
    for (const auto& [name, value] : base.parameters)
      if (axis.name == "set:" + name)
        throw UsageError(
            fmt::format("--set {}: is varied, too; leave out one of the two", printable(name)));
  }
}

loadgen::Workload only_workload(const SweepOptions& options) {
  std::vector<loadgen::Workload> found = select_workloads({options.name}, options.pattern);
  if (found.size() > 1)
    throw UsageError(fmt::format(
        "{} has {} workloads, and a sweep is over one; select it with --workload, berth-bench list "
        "shows their names",
        printable(options.name), found.size()));
  return std::move(found.front());
}

// Before anything is measured.
void announce(const SettingsGrid& grid, const Part& part, size_t runs) {
  std::string text = plural(grid.size(), "combination") + " of settings";
  if (part.of > 1) text += fmt::format("; part {}/{} has {}", part.number, part.of, grouped(runs));
  say(text);
}

void print(const SweepOptions& options, const rapidjson::Document& document, const Sweep& sweep,
           const std::string& json) {
  options.format->print({.text = [&] { return sweep_text(document, sweep, false); },
                         .wide = [&] { return sweep_text(document, sweep, true); },
                         .json = [&] { return json; },
                         .names = [&] { return run_names(document); }});
}

int run_sweep(const CLI::App& command, const SweepOptions& options, const std::string& line) {
  const Variant base = base_of(options);
  Sweep sweep;
  sweep.grid = grid_of(options);
  sweep.part = parse_part(options.part);
  sweep.figures = SweepFigures::with_front(options.front, "--front");
  refuse_both(command, base, sweep.grid);
  const loadgen::Workload workload = only_workload(options);
  const std::vector<uint64_t> combinations = sweep.grid.of(sweep.part);
  if (combinations.empty())
    throw UsageError(fmt::format("--part {}: {} have no such part", options.part,
                                 plural(sweep.grid.size(), "combination")));
  const std::vector<PlannedRun> runs = planned_runs(workload, base, sweep.grid, combinations);
  sweep.shared = shared_settings(workload, base, sweep.grid);
  refuse_overwriting_inputs(options.report, runs);
  check_configurations(runs);
  ReportFile report(options.report);
  announce(sweep.grid, sweep.part, runs.size());

  RepeatOptions repeat = options.repeat;
  repeat.allocations = allocation_counter();
  repeat.figures_only = true;
  Measured measured = measure_all(runs, repeat, line);
  if (!measured.document) return kFailed;
  for (const size_t failed : measured.failed) sweep.failed.push_back(combinations[failed]);
  sweep.interrupted = interrupted();
  add_sweep(*measured.document, sweep);
  const std::string json = to_json(*measured.document);
  report.write(json);  // first, since standard output may be closed by now
  print(options, *measured.document, sweep, json);
  if (sweep.interrupted) return kInterrupted;
  return measured.failed.empty() ? kOk : kFailed;
}

void add_load_options(CLI::App& command, SweepOptions& options) {
  command
      .add_option("NAME", options.name,
                  "a preset, a workload file, kube-scheduler's benchmark definitions, a trace or a "
                  "dump (mixed)")
      ->option_text("[NAME|FILE]");
  command
      .add_option("--workload", options.pattern,
                  "the workload of the file by its name; * and ? are wildcards")
      ->option_text("PATTERN");
  command.add_option("--set", options.settings, "set a parameter of the workload; can be repeated")
      ->option_text("NAME=VALUE");
  command.add_option("--seed", options.base.seed, "seed of the random draws, of load and ties (0)")
      ->check(check::whole_number(0, UINT64_MAX))
      ->option_text("N");
}

void add_grid_options(CLI::App& command, SweepOptions& options) {
  command
      .add_option("--vary", options.vary,
                  fmt::format("values of a setting; A..B are all whole numbers between. Can be "
                              "repeated: every combination is run. Of {}",
                              fmt::join(axis_forms(), ", ")))
      ->option_text("NAME=VALUE,...");
  command
      .add_option("--part", options.part,
                  "run every N-th combination, from the I-th; berth-bench merge puts the parts "
                  "together")
      ->option_text("I/N");
  command
      .add_option("--most", options.most,
                  fmt::format("refuse a sweep of more combinations ({})", kMostCombinations))
      ->check(check::whole_number(1, UINT64_MAX))
      ->option_text("N");
  command
      .add_option(
          "--front", options.front,
          fmt::format("the figures that make the Pareto front ({})", fmt::join(usual_front(), ",")))
      ->delimiter(',')
      ->option_text("FIGURE,...");
}

void add_configuration_options(CLI::App& command, SweepOptions& options) {
  command
      .add_option("--config", options.base.config,
                  "a KubeSchedulerConfiguration; without it the workload's own, or the defaults")
      ->option_text("FILE");
  options.rules.add_to(command);
  command
      .add_option("--plugins", options.plugins,
                  "folders with plugins, searched besides those of the variable BERTH_PLUGIN_PATH "
                  "and the default ones")
      ->check(startup::is_folder_list())
      ->option_text("DIR[:DIR...]");
  command.add_flag_callback(
      "--no-default-plugins", [&options] { options.default_plugins = false; },
      "do not search the default folders");
  startup::add_plugin_timeout(command, options.base.call_limit);
  options.base.isolation.add_to(command);
}

void add_output_options(CLI::App& command, SweepOptions& options) {
  command
      .add_option("--repetitions", options.repeat.repetitions,
                  "number of measured repetitions of each combination (1)")
      ->check(check::whole_number(1, 1000))
      ->option_text("N");
  command
      .add_option("--warm-up", options.repeat.warm_up,
                  "number of unmeasured repetitions before (0)")
      ->check(check::whole_number(0, 1000))
      ->option_text("N");
  command.add_option("--report", options.report, "write the report, one HTML page, to this file")
      ->option_text("FILE.html");
  using output::OutputFormat;
  options.format =
      output::add_format(command, {{OutputFormat::kText, "a row for each setting"},
                                   {OutputFormat::kWide, "a row for each combination, all digits"},
                                   {OutputFormat::kJson, ""},
                                   {OutputFormat::kYaml, "all figures, for berth-bench merge"},
                                   {OutputFormat::kName, "run/NAME of each combination"}});
}

}  // namespace

void add_sweep_command(CLI::App& app, const std::string& line, int& status) {
  CLI::App* command = app.add_subcommand(
      "sweep", "run one load with many settings, and tell which of them are best at what");
  auto options = std::make_shared<SweepOptions>();
  options->repeat.warm_up = 0;
  options->repeat.repetitions = 1;
  add_load_options(*command, *options);
  add_grid_options(*command, *options);
  add_configuration_options(*command, *options);
  add_output_options(*command, *options);
  command->callback([command, options, line, &status] {
    if (!options->default_plugins && options->plugins.empty())
      throw Error("--no-default-plugins: leaves no folder: name one with --plugins");
    ask_for_large_pages();
    status = run_sweep(*command, *options, line);
  });
}

}  // namespace berth::bench
