#pragma once

// Notes what becomes of single pods: for the file of results, with the scores of nodes, and in the
// log; as far as the options ask for them. One thread, that of the core.

#include <functional>
#include <memory>
#include <string>

#include "cli/log/decision_log.h"
#include "cli/results/pod_results.h"
#include "cli/results/score_notes.h"
#include "cli/run/run_options.h"
#include "cli/run/watches.h"
#include "engine/runtime/core.h"

namespace berth::cli {

class PodNotes {
 public:
  // True if notes with these options watch decisions.
  static bool watch_decisions(const RunOptions& options) {
    return options.log_level != 0 || options.other_scores.has_value() ||
           options.hooks.watch != nullptr;
  }
  // The core and the watches outlive the notes. The core tells `watches` of its decisions if
  // `watch_decisions` says so. `write_log` gets whole lines.
  PodNotes(const RunOptions& options, runtime::Core& core, Watches& watches,
           std::function<void(const std::string&)> write_log);

  void take(const runtime::Report& report) {
    if (results_) results_->take(report);
    if (log_) log_->take(report);
  }
  void take(const played::EvictionAnswer& answer);
  void drains(std::string_view node, std::string_view text) {
    if (log_) log_->drains(node, text);
  }
  // The run ends: the log says what is left in the queues.
  void end() {
    if (log_) log_->end();
  }
  // Null: none are written.
  const PodResults* results() const { return results_.get(); }

 private:
  std::unique_ptr<ScoreNotes> scores_;   // null: none are kept
  std::unique_ptr<PodResults> results_;  // null: none are written
  std::unique_ptr<DecisionLog> log_;     // null: nothing is logged
};

}  // namespace berth::cli
