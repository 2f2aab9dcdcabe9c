#include "bench/macro/run/planned_run.h"

#include <fmt/format.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <chrono>

#include "bench/macro/results/results.h"
#include "bench/macro/run/child.h"
#include "bench/report.h"
#include "engine/base/io/overwrite.h"
#include "engine/base/program/messages.h"
#include "engine/base/text/printable.h"

namespace berth::bench {
namespace {

// The runs that measured something.
std::vector<rapidjson::Document> finished(const Returned& texts) {
  std::vector<rapidjson::Document> runs;
  for (size_t i = 0; i < texts.size(); ++i)
    if (const std::string text = texts[i]; !text.empty())
      runs.emplace_back().Parse<rapidjson::kParseFullPrecisionFlag>(text.c_str(), text.size());
  return runs;
}

void run_one(const PlannedRun& run, const RepeatOptions& repeat, Returned& texts) {
  const std::vector<std::string> missing =
      missing_of(*run.workload, {run.variant.seed, run.variant.parameters});
  if (!missing.empty())
    throw Error(fmt::format("cannot run: needs {}; select others with --workload",
                            fmt::join(missing, ", ")));
  run_workload(*run.workload, run.variant, repeat, texts);
}

RepeatOptions of_one(const RepeatOptions& repeat, size_t index, size_t all) {
  RepeatOptions one = repeat;
  if (!repeat.figures_only) return one;
  one.notices = index == 0;
  one.position = fmt::format("{} of {}: ", index + 1, all);
  return one;
}

Done run_all(const std::vector<PlannedRun>& runs, const RepeatOptions& repeat,
             std::vector<size_t>& failed) {
  Done done;
  Returned texts;
  for (size_t i = 0; i < runs.size() && !interrupted(); ++i) {
    try {
      run_one(runs[i], of_one(repeat, i, runs.size()), texts);
    } catch (const Error& error) {
      failed.push_back(i);
      done.failed.push_back(printable(runs[i].name()) + ": " + error.what());
      say(done.failed.back());
    }
  }
  done.runs = finished(texts);
  return done;
}

size_t most_threads(const std::vector<PlannedRun>& runs) {
  int threads = 1;
  for (const PlannedRun& one : runs) threads = std::max(threads, one.variant.threads);
  return static_cast<size_t>(threads);
}

std::vector<std::string> with(std::vector<std::string> files, const std::string& file) {
  files.push_back(file);
  return files;
}

}  // namespace

std::string PlannedRun::name() const {
  return workload->name + (variant.label.empty() ? "" : " (" + variant.label + ")");
}

void refuse_overwriting_inputs(const std::string& file, const std::vector<PlannedRun>& runs) {
  for (const PlannedRun& run : runs) {
    std::vector<std::string> inputs = run.workload->files;
    inputs.push_back(run.variant.config);
    refuse_overwriting(file, inputs);
  }
}

ReportFile::ReportFile(const std::string& file, const std::vector<std::string>& more)
    : former_(with(more, file)) {
  if (file.empty()) return;
  require_report();
  file_.emplace(file);
}

void ReportFile::write(const std::string& results_json) {
  if (!file_) return;
  file_->write(report_page(results_json));
  file_->finish();
}

Measured measure_all(const std::vector<PlannedRun>& runs, const RepeatOptions& repeat,
                     const std::string& line) {
  note_interrupts(kInterruptRules);
  const Environment where = environment();
  const Neighbours neighbours;
  Command command{line, std::chrono::system_clock::now(), 0};
  // Also allows more threads than there are cores, when asked for.
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, most_threads(runs));
  Measured measured;
  Done done = run_all(runs, repeat, measured.failed);
  if (done.runs.empty() && !done.failed.empty()) return measured;
  if (done.runs.empty()) throw Error("interrupted before anything was measured");
  command.elapsed_seconds =
      std::chrono::duration<double>(std::chrono::system_clock::now() - command.started).count();
  measured.document = results(command, where, neighbours.so_far(), std::move(done));
  return measured;
}

}  // namespace berth::bench
