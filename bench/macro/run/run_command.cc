// berth-bench run: workloads, the ways to run each, and what came of it.

#include <fmt/format.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include "bench/macro/commands.h"
#include "bench/macro/results/new_file.h"
#include "bench/macro/results/results.h"
#include "bench/macro/run/allocations.h"
#include "bench/macro/run/interrupt.h"
#include "bench/macro/run/runner.h"
#include "bench/macro/run/selection.h"
#include "bench/report.h"
#include "engine/base/io/io.h"
#include "engine/cli/command.h"
#include "engine/cli/options.h"

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
  RepeatOptions repeat;
  std::string report;
  std::string output = "text";
};

// "NAME=VALUE[,VALUE...]".
void add_setting(const std::string& text, Comparison& lists) {
  const size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos)
    throw Error("--set: expected NAME=VALUE[,VALUE...], found \"" + printable(text) + "\"");
  std::vector<std::string>& values = lists.parameters[text.substr(0, equals)];
  if (!values.empty())
    throw Error("--set: " + text.substr(0, equals) + " is set twice; list its values: NAME=A,B");
  for (size_t begin = equals + 1; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    values.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

struct PlannedRun {
  const loadgen::Workload* workload = nullptr;
  Variant variant;

  std::string name() const {
    return workload->name + (variant.label.empty() ? "" : " (" + variant.label + ")");
  }
};

// Of the parameters that are set, those that the workload has. With one workload, all: it says
// itself which it has.
Comparison lists_for(const loadgen::Workload& workload, const Comparison& lists, bool only) {
  Comparison own = lists;
  if (!only)
    std::erase_if(own.parameters, [&](const auto& setting) {
      return !workload.parameters.contains(setting.first);
    });
  return own;
}

// Throws Error for a setting that is wrong: for the last run, too, it shows before the first.
std::vector<PlannedRun> plan(const std::vector<loadgen::Workload>& workloads,
                             const RunOptions& options) {
  for (const auto& [name, values] : options.lists.parameters)
    if (workloads.size() > 1 && std::ranges::none_of(workloads, [&, &name = name](const auto& w) {
          return w.parameters.contains(name);
        }))
      throw Error(fmt::format("--set {}: none of these workloads has a parameter \"{}\"",
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
  if (runs != 1) throw Error(fmt::format("--trace is of one run, and these are {}", runs));
  if (options.repeat.trace == options.report)
    throw Error("--trace and --report cannot go to one file");
  if (options.repeat.warm_up == 0)
    throw Error(
        "--trace is taken in a warm-up, in which every call is timed: leave --warm-up at 1 "
        "or more");
}

// Those runs of which something was measured.
std::vector<rapidjson::Document> finished(const Returned& texts) {
  std::vector<rapidjson::Document> runs;
  for (size_t i = 0; i < texts.size(); ++i)
    if (const std::string text = texts[i]; !text.empty())
      runs.emplace_back().Parse<rapidjson::kParseFullPrecisionFlag>(text.c_str(), text.size());
  return runs;
}

void run_one(const PlannedRun& run, const RepeatOptions& repeat, Returned& texts) {
  if (!run.workload->missing.empty())
    throw Error(fmt::format("cannot be run, since it needs {}; --workload chooses others",
                            fmt::join(run.workload->missing, ", ")));
  run_workload(*run.workload, run.variant, repeat, texts);
}

// All of what is to be run, until an interrupt. A run that fails is said to do so, and does not
// take the others with it.
Done run_all(const std::vector<PlannedRun>& runs, const RepeatOptions& repeat) {
  Done done;
  Returned texts;
  for (const PlannedRun& run : runs) {
    if (interrupted()) break;
    try {
      run_one(run, repeat, texts);
    } catch (const Error& error) {
      done.failed.push_back(run.name() + ": " + error.what());
      fmt::print(stderr, "berth-bench: {}\n", printable(done.failed.back()));
    }
  }
  done.runs = finished(texts);
  return done;
}

// The report's file is made before the work, which would be lost if that failed after it.
int run(const RunOptions& options, const std::string& line) {
  RunOptions with = options;
  for (const std::string& setting : options.settings) add_setting(setting, with.lists);
  const std::vector<loadgen::Workload> workloads = select_workloads(
      with.names.empty() ? std::vector<std::string>{kDefaultWorkload} : with.names, with.pattern);
  const std::vector<PlannedRun> runs = plan(workloads, with);
  check_trace(with, runs.size());
  std::optional<NewFile> report;
  if (!with.report.empty()) {
    require_report();
    report.emplace(with.report);
  }
  with.repeat.allocations = allocation_counter();

  note_interrupts();
  const Environment where = environment();
  const Neighbours neighbours;
  Command command{line, std::chrono::system_clock::now(), 0};
  int threads = 1;
  for (const PlannedRun& one : runs) threads = std::max(threads, one.variant.threads);
  // Also allows more threads than there are cores, when asked for.
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<size_t>(threads));
  Done done = run_all(runs, with.repeat);
  const bool all = done.failed.empty();
  if (done.runs.empty() && !all) return cli::kFailed;
  if (done.runs.empty()) throw Error("interrupted before anything was measured");
  command.elapsed_seconds =
      std::chrono::duration<double>(std::chrono::system_clock::now() - command.started).count();
  const rapidjson::Document document =
      results(command, where, neighbours.so_far(), std::move(done));
  const std::string json = to_json(document);
  // First, since whoever reads standard output may have gone.
  if (report) report->finish(report_page(json));
  std::fputs((with.output == "json" ? json : to_text(document)).c_str(), stdout);
  if (interrupted()) return kInterrupted;
  return all ? cli::kOk : cli::kFailed;
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
  command.add_option("--workload", options.pattern, "those whose names fit, with * and ?")
      ->option_text("PATTERN");
  command
      .add_option("--set", options.settings,
                  "a parameter of the workload, or several values to compare; several times")
      ->option_text("NAME=VALUE[,VALUE...]");
  command.add_option("--seed", options.base.seed, "of everything that is drawn (0)")
      ->check(cli::whole_number(0, UINT64_MAX))
      ->option_text("N");
  command
      .add_option_function<std::string>(
          "--clock",
          [&options](const std::string& name) {
            options.base.clock = name == "wall" ? Clock::kWall : Clock::kNone;
          },
          "none: pods come as fast as they are scheduled (the default); wall: when they are "
          "planned "
          "to, however far the scheduler is")
      ->check(cli::one_of({"none", "wall"}))
      ->option_text("none|wall");
  command
      .add_option("--speed", options.base.speed,
                  "with --clock wall: planned seconds to a second (1)")
      ->check(cli::number(1e-3, 1e9))
      ->option_text("X");
}

// Each takes a list, and every combination is run.
void add_lists(CLI::App& command, RunOptions& options) {
  Comparison& lists = options.lists;
  list(command, "--percentage-of-nodes-to-score", lists.percentages,
       "in place of what the configuration says; 0 is the adaptive rule. Several: each is run")
      ->check(cli::whole_number(0, 100))
      ->option_text("N,...");
  list(command, "--threads", lists.threads,
       "most threads that evaluate nodes (1). Several: each is run")
      ->check(cli::whole_number(1, 1024))
      ->option_text("N,...");
  command
      .add_option_function<std::vector<std::string>>(
          "--evaluation",
          [&lists](const std::vector<std::string>& names) {
            for (const std::string& name : names)
              lists.evaluations.push_back(name == "reference" ? framework::Evaluation::kReference
                                          : name == "full"    ? framework::Evaluation::kFull
                                                           : framework::Evaluation::kIncremental);
          },
          "reference, full or incremental (the default). Several: each is run")
      ->delimiter(',')
      ->check(cli::one_of({"reference", "full", "incremental"}))
      ->option_text("NAME,...");
  list(command, "--config", lists.configs,
       "a KubeSchedulerConfiguration (v1); default is the workload's own. Several: each is run")
      ->option_text("FILE,...");
  list(
      command, "--plugins", lists.plugins,
      "folders with plugins, parted by colons, in place of the one that comes with Berth, which is "
      "default. Several: each is run")
      ->option_text("DIR[:DIR...],...");
}

void add_repeat_options(CLI::App& command, RunOptions& options) {
  command.add_option("--repetitions", options.repeat.repetitions, "that count (5)")
      ->check(cli::whole_number(1, 1000))
      ->option_text("N");
  command
      .add_option("--warm-up", options.repeat.warm_up,
                  "repetitions before those (1); in the last one every call of a plugin is timed")
      ->check(cli::whole_number(0, 1000))
      ->option_text("N");
  command.add_option("--report", options.report, "where the report goes, one page of HTML")
      ->option_text("FILE.html");
  command
      .add_option("--trace", options.repeat.trace,
                  "where a Chrome trace of one run goes, for Perfetto")
      ->option_text("FILE");
  command
      .add_option("--trace-events", options.repeat.trace_events,
                  "at most so many cycles, and calls of a thread (100000); what is dropped is "
                  "counted")
      ->check(cli::whole_number(1, 10'000'000))
      ->option_text("N");
  command
      .add_option("-o,--output", options.output,
                  "text (the default), or json: everything that was measured, on standard output")
      ->check(cli::one_of({"text", "json"}))
      ->option_text("FORMAT");
}

}  // namespace

void add_run(CLI::App& app, const std::string& line, int& status) {
  CLI::App* command = app.add_subcommand(
      "run", "run workloads and measure; every combination of what is listed is one run");
  auto options = std::make_shared<RunOptions>();
  options->repeat.trace_events = kTraceEvents;
  add_workload_options(*command, *options);
  add_lists(*command, *options);
  add_repeat_options(*command, *options);
  command->callback([command, options, line, &status] {
    if (command->count("--speed") != 0 && options->base.clock != Clock::kWall)
      throw Error("--speed is of the wall clock: it goes with --clock wall");
    if (command->count("--trace-events") != 0 && options->repeat.trace.empty())
      throw Error("--trace-events is of --trace, which is not given");
    status = run(*options, line);
  });
}

}  // namespace berth::bench
