#include "bench/macro/measure/pod_lives.h"

#include <algorithm>
#include <numeric>

namespace berth::bench {
namespace {

using runtime::PodOutcome;

// Element i counts the pods with i + 1 attempts, the last element also those with more.
void count_attempts(uint32_t attempts, size_t most, std::vector<uint64_t>& counts) {
  if (attempts == 0) return;
  const size_t at = std::min<size_t>(attempts, most) - 1;
  if (counts.size() <= at) counts.resize(at + 1);
  ++counts[at];
}

}  // namespace

PodLives::Life& PodLives::life(model::PodId pod) {
  while (pod.index >= lives_.size()) lives_.grow();
  return lives_[pod.index];
}

void PodLives::come(std::span<const model::PodId> pods) {
  const int64_t now = core_.now().count();
  for (const model::PodId pod : pods) life(pod) = {now, 0, {}};
}

// The last outcome of a pod counts, so that a pod that is tried again counts once.
void PodLives::ends(model::PodId pod, PodOutcome outcome) { ends(life(pod), outcome); }

void PodLives::ends(Life& of, PodOutcome outcome) {
  if (of.outcome) --counts_[static_cast<size_t>(*of.outcome)];
  of.outcome = outcome;
  ++counts_[static_cast<size_t>(outcome)];
}

void PodLives::try_ends(model::PodId pod, PodOutcome outcome) {
  Life& of = life(pod);
  ++of.attempts;
  ends(of, outcome);
}

void PodLives::bound(model::PodId pod) {
  const Life& of = life(pod);
  ++bound_;
  count_attempts(of.attempts, kMostAttempts, attempts_of_bound_);
  if (of.arrived != kUnknown)
    waits_.record(static_cast<uint64_t>(std::max<int64_t>(core_.now().count() - of.arrived, 0)));
}

void PodLives::give(Measurement& m) const {
  const auto count = [&](PodOutcome outcome) { return counts_[static_cast<size_t>(outcome)]; };
  m.pods_scheduled = count(PodOutcome::kScheduled);
  m.pods_unschedulable = count(PodOutcome::kUnschedulable);
  m.pods_failed = count(PodOutcome::kError);
  m.pods_gated = count(PodOutcome::kGated);
  m.pods_ignored = count(PodOutcome::kIgnored);
  m.pods_total = std::accumulate(counts_.begin(), counts_.end(), uint64_t{0});
  m.pods_bound = bound_;
  m.preemptions = preemptions_;
  m.victims = victims_;
  m.attempts_of_bound = attempts_of_bound_;
  for (uint32_t pod = 0; pod < lives_.size(); ++pod) {
    const Life& life = lives_[pod];
    if (life.outcome == PodOutcome::kUnschedulable || life.outcome == PodOutcome::kError)
      count_attempts(life.attempts, kMostAttempts, m.attempts_of_waiting);
  }
  m.queue_to_bound_virtual = Times{waits_, 1e-9};
}

}  // namespace berth::bench
