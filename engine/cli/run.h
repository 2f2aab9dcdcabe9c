#pragma once

// One run: load the cluster, schedule what comes, add up.

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/cycle_clock.h"
#include "engine/base/histogram.h"
#include "engine/cli/binding_file.h"
#include "engine/cli/intake.h"
#include "engine/cli/progress.h"
#include "engine/cli/session.h"
#include "engine/cli/work_source.h"
#include "engine/output/summary.h"

namespace berth::cli {

struct RunOptions {
  std::vector<std::string> cluster;
  std::string pods;
  std::string config;  // empty: the defaults
  uint64_t seed = 0;
  framework::TieBreak tie_break = framework::TieBreak::kRandom;
  std::optional<int32_t> percentage;
  int threads = 1;
  framework::Evaluation evaluation = framework::Evaluation::kIncremental;
  std::string bindings;  // empty: none are written
  std::string summary;
  bool strict = false;
  int plugin_timeout_seconds = 30;  // of one call
};

class Run {
 public:
  // Throws Error for what is wrong with the configuration, the plugins or the bindings' file.
  Run(const RunOptions& options, cycle::Plugins& plugins);
  ~Run();

  // Reads the cluster files. What is wrong in them is printed and counted; with --strict, thrown.
  void load();
  // Schedules all pods that come, and writes their bindings.
  void schedule();
  output::Summary summary();

 private:
  void load_file(const std::string& path);
  void take(const Work& work);
  void drain();
  void on_result(const cycle::PodResult& result);
  void print_faults(const Diagnostics& diagnostics);
  void check_strict();
  void add_calls(output::Summary& summary);

  RunOptions options_;
  std::chrono::steady_clock::time_point started_;
  std::unique_ptr<BindingFile> sink_;  // null: none are written
  framework::Workers workers_;
  Session session_;
  Diagnostics diagnostics_;  // of what does not fit together, such as a pod that is there twice
  Intake intake_;
  std::unique_ptr<WorkSource> source_;
  std::vector<model::PodRecord> waiting_;
  cycle::Scheduler::OnResult report_;
  CycleRate rate_;
  Histogram latency_;  // cycles
  output::Summary summary_;
  uint64_t faults_ = 0;
  Progress progress_;
};

}  // namespace berth::cli
