// berth run: a cluster and a stream of pods in, bindings and a summary out.

#include <fmt/format.h>
#include <tbb/global_control.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <utility>

#include "cli/commands/command.h"
#include "cli/commands/given_options.h"
#include "cli/commands/input_options.h"
#include "cli/commands/question_options.h"
#include "cli/commands/run_setup.h"
#include "cli/commands/what_if_command.h"
#include "cli/page/report_option.h"
#include "cli/replay/journal/recorder.h"
#include "cli/run/run.h"
#include "cli/run_page/run_report.h"
#include "engine/base/io/former_files.h"
#include "engine/base/io/interrupts.h"
#include "engine/base/io/new_file.h"
#include "engine/base/io/overwrite.h"
#include "engine/base/memory/allocator.h"
#include "engine/base/program/checks.h"
#include "engine/base/program/messages.h"
#include "engine/base/program/terminal.h"
#include "engine/framework/verification/difference.h"
#include "engine/ingest/objects/folder_files.h"
#include "engine/output/format_option.h"
#include "engine/output/summary.h"

namespace berth::cli {
namespace {

using output::OutputFormat;

// The exit status of a run that ended because a decision differs from the reference evaluation's.
constexpr int kDiffers = 4;

void print_summary(const output::Summary& summary, const RunOptions& options,
                   const output::FormatOption& format) {
  // Pods were named as they were bound.
  if (options.summary == "-" || format.format() == OutputFormat::kName) return;
  // Bindings, results, events and metrics on stdout are data; then the page goes to stderr.
  const bool data = options.bindings == "-" || options.results == "-" || options.events == "-" ||
                    options.metrics == "-" || options.report == "-";
  std::FILE* page = data ? stderr : stdout;
  const auto text = [&](output::Rows rows) {
    return output::to_text(summary, terminal_width(fileno(page)), rows);
  };
  fmt::print(page, "{}",
             format.text({.text = [&] { return text(output::Rows::kMost); },
                          .wide = [&] { return text(output::Rows::kAll); },
                          .json = [&] { return output::to_json(summary); }}));
}

// Throws Error if the format and another option are both for standard output.
void check_format(const RunOptions& options, const output::FormatOption& format) {
  const bool data =
      format.format() != OutputFormat::kText && format.format() != OutputFormat::kWide;
  const std::pair<const char*, const std::string&> outputs[] = {
      {"--bindings", options.bindings}, {"--summary", options.summary},
      {"--results", options.results},   {"--events", options.events},
      {"--metrics", options.metrics},   {"--report", options.report}};
  for (const auto& [option, file] : outputs)
    if (file == "-" && (data || (format.given() && &file == &options.summary)))
      throw Error(
          fmt::format("-o {}: standard output is that of {}: name a file with {}, or leave out -o",
                      format.name(), option, option));
}

// Throws Error where one file is named for two things that exclude each other.
void check_files(const RunOptions& options, const std::string& record) {
  std::vector<std::string> inputs = options.cluster;
  const std::vector<std::string> dumps = ingest::without_folders(options.dumps);
  inputs.insert(inputs.end(), dumps.begin(), dumps.end());
  inputs.push_back(options.pods);
  if (std::count(inputs.begin(), inputs.end(), "-") > 1)
    throw Error("standard input: can be read once: name files for the others");
  inputs.push_back(options.config);
  inputs.push_back(options.admission_plugins.file());
  if (record == "-") throw Error("--record: expected a file, which the journal is written to");
  const std::pair<const char*, const std::string&> outputs[] = {
      {"bindings", options.bindings}, {"the summary", options.summary},
      {"results", options.results},   {"events", options.events},
      {"metrics", options.metrics},   {"the report", options.report},
      {"the journal", record}};
  for (const auto& [what, file] : outputs) refuse_overwriting(file, inputs);
  for (auto a = std::begin(outputs); a != std::end(outputs); ++a)
    for (auto b = std::next(a); b != std::end(outputs); ++b)
      if (is_same_output(a->second, b->second) || (a->second == "-" && b->second == "-"))
        throw Error(Place{.file = b->second, .field = {}},
                    fmt::format("{} and {} cannot go to one file", a->first, b->first));
}

// Throws Error where an option has no effect without another.
void check_options(const RunOptions& options) {
  check_inputs(options, "berth run");
  if (options.other_scores && options.results.empty())
    throw Error("--scores: adds to the results: name their file with --results");
  if (options.serve_metrics && options.clock != drive::ClockKind::kWall)
    throw Error(
        "--serve-metrics: a run by the virtual clock is over before it is looked at: add "
        "--clock=wall, or write the metrics of its end with --metrics");
  options.admission_plugins.check_effect(options.admission);
  const played::VolumeControllerOptions defaults;
  if (!options.binds_volumes() && (options.volumes.delay != defaults.delay ||
                                   options.volumes.failure_percent != defaults.failure_percent))
    throw Error(
        "--volume-binding-delay, --volume-binding-failures: have no effect while volumes are not "
        "bound here: add --volume-binding=on, or leave them out");
}

// The files that are written when the run is over. They are opened before the work, which would be
// lost if this failed after it.
class Reports {
 public:
  Reports(const RunOptions& options, const output::FormatOption& format)
      : options_(options), format_(format), page_(options.report) {
    if (!options.summary.empty()) summary_.emplace(options.summary);
    if (!options.results.empty()) results_.emplace(options.results);
    if (!options.metrics.empty()) metrics_.emplace(options.metrics);
  }

  void write(Run& run, const output::Summary& summary) {
    const std::string notice = startup::ranking_memory_notice(
        summary.rankings_evicted_for_memory, summary.decisions, summary.ranking_bytes_limit);
    if (!notice.empty()) say(notice);
    print_summary(summary, options_, format_);
    if (summary_) {
      summary_->write(output::to_json(summary));
      summary_->finish();
    }
    if (results_) {
      run.write_results(*results_);
      results_->finish();
    }
    if (metrics_) {
      metrics_->write(run.metrics());
      metrics_->finish();
    }
    // Last: what is asked for it is no part of the run.
    page_.write([&] { return to_page(report_of(run, summary)); });
  }

 private:
  const RunOptions& options_;
  const output::FormatOption& format_;
  std::optional<NewFile> summary_, results_, metrics_;
  ReportFile page_;
};

// The exit status. Throws Error.
int execute(Run& run, const RunOptions& options, const output::FormatOption& format) try {
  run.load();
  Reports reports(options, format);
  try {
    run.schedule();
  } catch (const Error& error) {
    output::Summary summary = run.summary();
    summary.error = error.what();
    reports.write(run, summary);
    throw;
  }
  const output::Summary summary = run.summary();
  reports.write(run, summary);
  if (summary.interrupted) return kInterrupted;
  return summary.errors_in_input == 0 && summary.failures.empty() ? kOk : kFailed;
} catch (const Interrupted&) {
  // While the cluster or the first of the pods was read: nothing was decided.
  output::Summary summary = run.summary();
  summary.interrupted = true;
  Reports(options, format).write(run, summary);
  return kInterrupted;
}

// `text` is all behind "-v": "10", or "=10" as klog's users write it.
std::string take_log_level(std::string& text) {
  if (text.starts_with('=')) text.erase(0, 1);
  return log_level_problem(text);
}

std::string port_address_problem(const std::string& text) try {
  metrics::parse_port_address(text);
  return {};
} catch (const Error& error) {
  return error.what();
}

void add_outputs(CLI::App& command, RunOptions& options, std::string& record) {
  command
      .add_option("--bindings", options.bindings,
                  "output of the bindings: JSON lines for - and *.jsonl, else a stream of frames")
      ->option_text("FILE");
  command
      .add_option("--summary", options.summary,
                  "output of the summary as JSON; - is standard output")
      ->option_text("FILE");
  command
      .add_option("--results", options.results,
                  "output of what became of each pod, as JSON lines; - is standard output")
      ->option_text("FILE");
  command
      .add_option("--events", options.events,
                  "output of the events that kubectl describe would show, as JSON lines of "
                  "events.k8s.io/v1, each event a line of its own; - is standard output")
      ->option_text("FILE");
  command
      .add_option("--metrics", options.metrics,
                  "output of kube-scheduler's metrics at the end of the run, in Prometheus' text "
                  "format; - is standard output")
      ->option_text("FILE");
  add_report_option(command, options.report);
  command
      .add_option_function<std::string>(
          "--serve-metrics",
          [&options](const std::string& text) {
            options.serve_metrics = metrics::parse_port_address(text);
          },
          "with --clock=wall: serve the same while the run goes on, at http://HOST:PORT/metrics, "
          "to "
          "all that reach the address; without HOST to this machine alone")
      ->check(CLI::Validator(port_address_problem, ""))
      ->option_text("HOST:PORT");
  command
      .add_option_function<std::string>(
          "--scores",
          [&options](const std::string& count) {
            options.other_scores = static_cast<uint32_t>(std::stoul(count));
          },
          "add to the results the scores of the chosen node by plugin, and those of the N best "
          "other nodes (0)")
      ->check(check::whole_number(0, 10'000))
      ->expected(0, 1)
      ->default_str("0")
      ->option_text("[N]");
  command
      .add_option_function<std::string>(
          "-v", [&options](const std::string& level) { options.log_level = std::stoi(level); },
          "log decisions on standard error, as kube-scheduler does at -v=N: 1 errors, 2 bound and "
          "unschedulable pods and slow cycles, 3 attempts and events of pods, 4 pods that events "
          "move, 5 all moves between queues and answers of PreFilter and PostFilter, 10 scores (0)")
      ->transform(CLI::Validator(take_log_level, ""))
      ->option_text("N");
  command
      .add_option("--record", record,
                  "output of a journal, from which `berth replay` plays the run again")
      ->option_text("FILE");
}

// The version of the rules is named, since the default of a later berth may be another.
std::vector<JournalOption> recorded_options(const CLI::App& command,
                                            const config::Configuration& configuration) {
  std::vector<JournalOption> options = given_options(command);
  const std::string_view version = version_text(configuration.rules.version());
  replace_options(options, {{"--kube-version", {std::string(version)}}});
  return options;
}

}  // namespace

void add_run(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "run",
      "schedule pods onto a cluster; exit status 1 if input was rejected "
      "or a plugin failed, 3 if --what-if leaves a pod worse off, 4 if a verified "
      "decision differs, 70 if a plugin "
      "did not return, 130 if interrupted, 134 if an audit found a fault");
  auto setup = std::make_shared<RunSetup>();
  auto record = std::make_shared<std::string>();
  add_input_options(*command, setup->run);
  add_outputs(*command, setup->run, *record);
  auto what_if = std::make_shared<WhatIfOptions>();
  add_what_if_options(*command, *what_if);
  setup->add_to(*command);
  const auto format = output::add_format(
      *command, {{OutputFormat::kText, "a page"},
                 {OutputFormat::kWide, "with all zones, resources, messages and fields"},
                 {OutputFormat::kJson, ""},
                 {OutputFormat::kYaml, "the summary"},
                 {OutputFormat::kName, "pod/NAME of each pod when it is bound"}});
  command->callback([=, &status] {
    RunOptions* const options = &setup->run;
    setup->check();
    if (!what_if->script.empty()) {
      status = ask_what_if(*what_if, *setup, *record, *format);
      return end_at_once(status);
    }
    check_options(*options);
    check_files(*options, *record);
    check_format(*options, *format);
    const FormerFiles former(std::vector<std::string>{options->bindings, options->summary,
                                                      options->results, options->events,
                                                      options->metrics, options->report, *record});
    ask_for_large_pages();
    prepare_pages_ahead();
    options->binding_names = format->format() == OutputFormat::kName;
    options->keeps_results |= !options->report.empty();
    config::Configuration configuration = setup->configuration();
    runtime::Plugins found = setup->discover(configuration);
    note_interrupts();
    // A reader of the outputs that closes its pipe is an error with a summary, as a full disk is.
    std::signal(SIGPIPE, SIG_IGN);
    // Also allows more threads than there are cores, when asked for.
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                    static_cast<size_t>(options->threads));
    std::optional<Recorder> recorder;
    if (!record->empty()) {
      recorder.emplace(*record, recorded_options(*command, configuration), *options);
      recorder->attach(*options);
    }
    Run run(*options, std::move(configuration), found);
    if (recorder) recorder->watch(run.core());
    try {
      status = execute(run, *options, *format);
      if (recorder) recorder->finish(status == kInterrupted);
    } catch (const framework::EvaluationDiffers& difference) {
      say(difference.what());
      status = kDiffers;
    }
    end_at_once(status);
  });
}

}  // namespace berth::cli
