#pragma once

// One run of `berth run`: loads the cluster, schedules the pods that arrive, and sums up.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/admission_plugins.h"
#include "cli/log/decision_log.h"
#include "cli/results/pod_results.h"
#include "cli/results/queue_history.h"
#include "cli/results/score_notes.h"
#include "cli/run/binding_file.h"
#include "cli/run/outcomes.h"
#include "cli/run/watches.h"
#include "engine/base/cycle_clock.h"
#include "engine/base/histogram.h"
#include "engine/base/program/progress.h"
#include "engine/drive/driver.h"
#include "engine/output/summary.h"
#include "engine/played/api_server.h"
#include "engine/runtime/core.h"

namespace berth::cli {

struct RunOptions {
  std::vector<std::string> dumps;  // a cluster and its pods; else those two are given apart:
  std::vector<std::string> cluster;
  std::string pods;
  const std::string& stream() const { return dumps.empty() ? pods : dumps.front(); }
  std::string config;  // empty: the defaults
  uint64_t seed = 0;
  framework::TieBreak tie_break = framework::TieBreak::kRandom;
  std::optional<int32_t> percentage;
  int threads = framework::Workers::threads_of_the_machine();
  framework::Evaluation evaluation = framework::Evaluation::kIncremental;
  size_t ranking_bytes = framework::FullOptions{}.ranking_bytes;
  uint64_t verify_every = framework::VerificationPace::kAsItPays;
  std::string bindings;        // empty: none are written
  bool binding_names = false;  // of bound pods, on standard output
  std::string summary;
  std::string results;                   // empty: none are written
  std::optional<uint32_t> other_scores;  // nodes beside the chosen one; nothing: no scores
  int log_level = 0;                     // as klog takes it
  drive::ClockKind clock = drive::ClockKind::kVirtual;
  // How long the run goes on after its input for pods that only wait for too long.
  Time play_on{};
  // An unschedulable pod is tried again when it waited for longer.
  Time max_unschedulable = queue::QueueOptions{}.max_unschedulable;
  // True: a controller of ours binds and provisions volumes. Without a value it does so in virtual
  // time; with the machine's clock the cluster's own controllers do.
  std::optional<bool> volume_binding;
  played::VolumeControllerOptions volumes;  // its seed is that of the run
  bool binds_volumes() const {
    return volume_binding.value_or(clock == drive::ClockKind::kVirtual);
  }
  bool strict = false;
  bool admission = true;  // of pods that are created here
  AdmissionPlugins admission_plugins;
  bool guard_columns = false;       // as CoreOptions has it
  int plugin_timeout_seconds = 30;  // of one call
  runtime::AuditPace audits = runtime::kBuildsAuditPace;
};

class Run final : private drive::Program {
 public:
  // `configuration`: of the file options.config. Throws Error if it, a plugin or the bindings' file
  // cannot be used.
  Run(const RunOptions& options, config::Configuration configuration, runtime::Plugins& plugins);
  ~Run() override;

  // Reads the cluster files. Faults in them are printed and counted; with --strict, the first is
  // thrown as Error.
  void load();
  // Schedules all pods that arrive, and writes their bindings, until the input ends or the program
  // is interrupted. In every case, including an Error, decided pods are bound and written first.
  void schedule();
  // The summary of everything done so far.
  output::Summary summary();
  // Writes the result of each pod so far. Precondition: options.results is set. Throws Error.
  void write_results(ByteSink& sink) const;

 private:
  void load_file(const std::string& path);
  void keep_whole(const drive::Work& work);
  void note_frames(const drive::WorkSource& source, const std::string& path);
  void take(const drive::Work& work);
  void take(const ingest::Batch& batch);
  bool stopped() override;
  void decide() override;
  void time_passed() override;
  void on_report(const runtime::Report& report);
  output::QueueSizes queue_sizes() const;
  std::string waiting_text() const;
  ingest::Validation validation() const {
    return options_.admission ? ingest::Validation::kNew : ingest::Validation::kNone;
  }
  void print_faults(const Diagnostics& diagnostics);
  void take_faults(const Diagnostics& diagnostics, bool thrown);
  void take_remarks(ingest::Remarks remarks, bool thrown);
  void check_strict();
  void add_calls(output::Summary& summary);
  void add_metrics(output::Summary& summary) const;

  RunOptions options_;
  std::chrono::steady_clock::time_point started_;
  std::chrono::steady_clock::time_point published_;  // what was decided
  std::unique_ptr<BindingFile> sink_;                // null: none are written
  framework::Workers workers_;
  Watches watches_;
  played::ApiServer server_;
  runtime::Core core_;
  drive::Driver driver_;
  std::unique_ptr<ScoreNotes> scores_;   // null: none are kept
  std::unique_ptr<PodResults> results_;  // null: none are written
  std::unique_ptr<DecisionLog> log_;     // null: nothing is logged
  QueueHistory queues_;
  ingest::Creation creation_;
  std::unique_ptr<drive::WorkSource> source_;  // uses creation_
  CycleRate rate_;
  Histogram latency_;  // cycles
  Outcomes outcomes_;
  output::Summary summary_;
  uint64_t faults_ = 0;
  bool frames_noted_ = false;
  Progress progress_;
};

}  // namespace berth::cli
