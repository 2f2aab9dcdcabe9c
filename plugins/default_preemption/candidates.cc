#include "plugins/default_preemption/candidates.h"

#include <algorithm>

namespace berth::plugins {

bool more_important(const PlacedPod& a, const PlacedPod& b) {
  if (a.priority != b.priority) return a.priority > b.priority;
  return a.started_at < b.started_at;
}

void order_by_importance(std::vector<PlacedPod>& pods) {
  // Pods mostly start in their order of arrival; sorting allocates.
  if (!std::is_sorted(pods.begin(), pods.end(), more_important))
    std::stable_sort(pods.begin(), pods.end(), more_important);
  const auto not_started = [](const PlacedPod& pod) { return pod.started_at == kNotStarted; };
  for (auto first = pods.begin();;) {
    first = std::find_if(first, pods.end(), not_started);
    if (first == pods.end()) return;
    const auto last = std::find_if(first, pods.end(), [&](const PlacedPod& pod) {
      return !not_started(pod) || pod.priority != first->priority;
    });
    std::reverse(first, last);
    first = last;
  }
}

void Candidate::weigh(int64_t violations) {
  // Added to each priority, so that fewer victims are better also where priorities are negative.
  constexpr int64_t kAboveAll = int64_t{INT32_MAX} + 1;
  harm = {};
  harm.violations = violations;
  if (victims.empty()) return;
  int64_t sum = 0;
  int64_t highest = victims.front().priority;
  int64_t earliest = victims.front().started_at;
  for (const PlacedPod& pod : victims) {
    sum += pod.priority + kAboveAll;
    if (pod.priority > highest) {
      highest = pod.priority;
      earliest = pod.started_at;
    } else if (pod.priority == highest) {
      earliest = std::min(earliest, pod.started_at);
    }
  }
  // The first victim's priority counts as the highest, as in kube-scheduler. The latest start is
  // the best; bitwise not reverses the order without overflow.
  harm = {violations, victims.front().priority, sum, victims.size(), ~earliest};
}

const Candidate& best_candidate(std::span<const Candidate* const> candidates) {
  return **std::min_element(
      candidates.begin(), candidates.end(),
      [](const Candidate* a, const Candidate* b) { return a->harm < b->harm; });
}

void CandidateList::add(const Candidate& candidate) {
  auto& kind = candidate.harm.violations == 0 ? clean_ : violating_;
  if (kind.size() < wanted_) kind.push_back(&candidate);
}

size_t CandidateList::missing() const {
  const size_t found = clean_.size() + violating_.size();
  return std::max<size_t>(found < wanted_ ? wanted_ - found : 1, 1);
}

std::vector<const Candidate*> CandidateList::take() {
  std::vector<const Candidate*> all = std::move(clean_);
  all.insert(all.end(), violating_.begin(), violating_.end());
  return all;
}

}  // namespace berth::plugins
