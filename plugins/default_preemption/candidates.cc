#include "plugins/default_preemption/candidates.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace berth::plugins {
namespace {

// Smaller is better.
auto harm(const Candidate& candidate) {
  // Added to each priority, so that fewer victims are better also where priorities are negative.
  constexpr int64_t kAboveAll = int64_t{INT32_MAX} + 1;
  const auto& victims = candidate.victims;
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
  // The first victim's priority counts as the highest, as in kube-scheduler.
  return std::tuple(candidate.violations, victims.front().priority, sum, victims.size(),
                    // The latest is the best. Bitwise not reverses the order without overflow.
                    ~earliest);
}

}  // namespace

bool more_important(const PlacedPod& a, const PlacedPod& b) {
  if (a.priority != b.priority) return a.priority > b.priority;
  return a.started_at < b.started_at;
}

const Candidate& best_candidate(std::span<const Candidate> candidates) {
  return *std::min_element(
      candidates.begin(), candidates.end(),
      [](const Candidate& a, const Candidate& b) { return harm(a) < harm(b); });
}

void CandidateList::add(Candidate candidate) {
  std::vector<Candidate>& kind = candidate.violations == 0 ? clean_ : violating_;
  if (kind.size() < wanted_) kind.push_back(std::move(candidate));
}

size_t CandidateList::missing() const {
  const size_t found = clean_.size() + violating_.size();
  return std::max<size_t>(found < wanted_ ? wanted_ - found : 1, 1);
}

std::vector<Candidate> CandidateList::take() {
  std::vector<Candidate> all = std::move(clean_);
  std::move(violating_.begin(), violating_.end(), std::back_inserter(all));
  return all;
}

}  // namespace berth::plugins
