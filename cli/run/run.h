#pragma once

// One run of `berth run`: loads the cluster, schedules the pods that arrive, and sums up.

#include <chrono>
#include <list>
#include <memory>
#include <string>

#include "cli/results/event_file.h"
#include "cli/run/binding_file.h"
#include "cli/run/pod_notes.h"
#include "cli/run/run_options.h"
#include "cli/run/run_tally.h"
#include "cli/run/watches.h"
#include "engine/base/program/progress.h"
#include "engine/drive/driver.h"
#include "engine/metrics/scheduler_metrics.h"
#include "engine/output/summary.h"
#include "engine/played/api_server.h"
#include "engine/runtime/core.h"

namespace berth::cli {

class Run final : private drive::Program {
 public:
  // `configuration`: of the file options.config. Throws Error if it, a plugin or the bindings' file
  // cannot be used.
  Run(const RunOptions& options, config::Configuration configuration, runtime::Plugins& plugins);
  ~Run() override;

  // Reads the cluster files. Faults in them are printed and counted; with --strict, the first is
  // thrown as Error.
  void load();
  // Schedules all pods that arrive, and writes their bindings and events, until the input ends or
  // the program is interrupted. In every case, including an Error, decided pods are bound and
  // written first.
  void schedule();
  // The summary of everything done so far.
  output::Summary summary();
  // Writes the result of each pod so far. Precondition: options.results is set. Throws Error.
  void write_results(ByteSink& sink) const;
  // The same of the pods alone. Precondition: results are written or kept.
  std::vector<output::PodResult> results() const;
  runtime::Core& core() { return core_; }
  // Watches of decisions hear of no more: other questions than the run's are asked.
  void stop_watching() { watches_.clear(); }
  // The drains of nodes so far, in the order in which they began.
  const std::list<controllers::Drain>& drains() const { return server_.drains(); }
  // The metrics of everything done so far, in Prometheus' text format. Precondition:
  // options.has_metrics().
  std::string metrics();

 private:
  void load_file(const std::string& path);
  void load_workloads();
  std::unique_ptr<drive::WorkSource> open_source();
  void keep_whole(const drive::Work& work);
  void note_frames(const drive::WorkSource& source, const std::string& path);
  void take(const drive::Work& work);
  // `file`: for messages.
  void take(const ingest::Batch& batch, const std::string& file);
  bool stopped() override;
  void decide() override;
  void time_passed() override;
  std::chrono::steady_clock::time_point rests() override;
  void on_report(const runtime::Report& report);
  void serve_metrics(const metrics::PortAddress& address);
  void refresh_metrics(std::chrono::steady_clock::time_point now);
  std::string waiting_text() const;
  ingest::Validation validation() const {
    return options_.admission ? ingest::validation_by(core_.configuration().rules.version())
                              : ingest::Validation::kNone;
  }
  void print_faults(const Diagnostics& diagnostics);
  void take_faults(const Diagnostics& diagnostics, bool thrown);
  void take_remarks(ingest::Remarks remarks, bool thrown);
  void check_strict();

  RunOptions options_;
  RunTally tally_;
  std::chrono::steady_clock::time_point published_;  // what was decided
  std::unique_ptr<BindingFile> sink_;                // null: none are written
  framework::Workers workers_;
  Watches watches_;
  played::ApiServer server_;
  runtime::Core core_;
  drive::Driver driver_;
  ingest::Creation creation_;
  std::unique_ptr<drive::WorkSource> source_;  // uses creation_
  Progress progress_;
  PodNotes notes_;
  std::unique_ptr<EventFile> events_;                   // null: none are written
  std::unique_ptr<metrics::SchedulerMetrics> metrics_;  // null: nobody asks for them
  std::unique_ptr<metrics::MetricsPort> port_;          // null: they are not served
  std::chrono::steady_clock::time_point refreshed_;     // what metrics tell of the core
  bool frames_noted_ = false, times_noted_ = false;
};

}  // namespace berth::cli
