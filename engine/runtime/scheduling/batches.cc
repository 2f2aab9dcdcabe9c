#include "engine/runtime/scheduling/batches.h"

#include <algorithm>
#include <utility>

namespace berth::runtime {

std::unique_ptr<Batches> Batches::make(model::Cluster& cluster, const QueuePolicy& policy,
                                       const framework::DecideOptions& decide) {
  if (decide.extenders != nullptr) return nullptr;
  auto made = std::make_unique<Batches>();
  for (queue::ProfileId id = 0; id < policy.profiles(); ++id) {
    const auto& signing = policy.profile(id).signing();
    made->profiles_.push_back(
        signing ? std::make_unique<OfProfile>(cluster, *signing, decide.tie_break) : nullptr);
  }
  const bool some =
      std::ranges::any_of(made->profiles_, [](const auto& of) { return of != nullptr; });
  return some ? std::move(made) : nullptr;
}

void Batches::begin(queue::ProfileId profile, framework::Batch::Turn turn,
                    framework::Request& request) {
  current_ = profiles_[profile].get();
  if (current_ == nullptr) return;
  turn_ = std::move(turn);
  turn_.signature = current_->signatures.of(*request.pod);
  request.keeps_scores = turn_.signature.has_value();
  request.batch_miss = current_->batch.misses(turn_);
  if (request.batch_miss == framework::BatchMiss::kNone) request.batch = &current_->batch;
}

void Batches::end(const framework::Decider& decider, const framework::Decision& decision) {
  if (current_ == nullptr || decision.outcome != framework::Outcome::kScheduled) return;
  current_->batch.decided(std::move(turn_), decision.row, decision.hint, decider.scored_rows());
}

}  // namespace berth::runtime
