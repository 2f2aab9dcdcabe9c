#include "cli/run/pod_notes.h"

#include <utility>

namespace berth::cli {

PodNotes::PodNotes(const RunOptions& options, runtime::Core& core, Watches& watches,
                   std::function<void(const std::string&)> write_log) {
  if (options.other_scores) {
    scores_ = std::make_unique<ScoreNotes>(core.cluster(), *options.other_scores);
    watches.add(*scores_);
  }
  if (!options.results.empty() || options.keeps_results)
    results_ = std::make_unique<PodResults>(core, scores_.get());
  if (options.log_level == 0) return;
  log_ = std::make_unique<DecisionLog>(options.log_level, core, std::move(write_log));
  watches.add(*log_);
  core.scheduler().queue().watch_moves(log_->hears_moves() ? log_.get() : nullptr);
}

void PodNotes::take(const played::EvictionAnswer& answer) {
  output::EvictionResult result{.namespace_name = answer.namespace_name,
                                .name = answer.name,
                                .code = answer.status.code,
                                .dry_run = answer.dry_run,
                                .message = answer.status.message,
                                .causes = {},
                                .at = answer.at};
  for (const auto& cause : answer.status.causes) result.causes.push_back(cause.message);
  if (log_) log_->take(result);
  if (results_) results_->take(std::move(result));
}

}  // namespace berth::cli
