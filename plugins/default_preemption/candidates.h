#pragma once

// Nodes that could run the pod if some pods were evicted, and the choice among them.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace berth::plugins {

// A pod on a node.
struct PlacedPod {
  size_t position = 0;  // among the pods of its node
  uint64_t handle = 0;
  int64_t priority = 0;
  int64_t started_at = 0;  // kNotStarted: not started
};
inline constexpr int64_t kNotStarted = INT64_MAX;

// True if `a` is to be evicted after `b`: it has the higher priority, or the same and it runs for
// longer.
bool more_important(const PlacedPod& a, const PlacedPod& b);
// Orders pods, the most important first. Those of equal priority and start keep their order; those
// that did not start are reversed, since kube-scheduler takes the time of the comparison for their
// start (util/utils.go GetPodStartTime). It does so for up to 12 pods; with more its order differs.
void order_by_importance(std::vector<PlacedPod>& pods);

// The harm that a preemption does; less is better. The members in the order in which they count.
struct Harm {
  int64_t violations = 0;  // victims whose disruption budget does not allow it
  int64_t highest = 0;     // priority of the first victim
  int64_t sum = 0;         // of the priorities, each raised above 0
  size_t victims = 0;
  int64_t start = 0;  // falls with the earliest start of the victims of the highest priority

  auto operator<=>(const Harm&) const = default;
};

struct Candidate {
  size_t node = 0;                 // position of the call
  std::vector<PlacedPod> victims;  // not empty; the most important first
  Harm harm;

  // Sets `harm` by the victims; an extender may leave a candidate without any.
  void weigh(int64_t violations);
};

// The candidate that does the least harm, the first of those that are equal in all. Precondition:
// there is one.
const Candidate& best_candidate(std::span<const Candidate* const> candidates);

// The candidates that were found, in the order in which their nodes were tried.
class CandidateList {
 public:
  // `wanted`: of each kind (with and without violations) no more are kept.
  explicit CandidateList(size_t wanted) : wanted_(wanted) {}

  // The candidate outlives the list.
  void add(const Candidate& candidate);
  // True if no further node needs to be tried: enough were found, one of them without violation.
  bool enough() const { return !clean_.empty() && clean_.size() + violating_.size() >= wanted_; }
  // The number of nodes that have to be tried at least until there are enough.
  size_t missing() const;
  // The candidates that are kept, those without violations first. Called once, at the end.
  std::vector<const Candidate*> take();

 private:
  size_t wanted_;
  std::vector<const Candidate*> clean_, violating_;
};

}  // namespace berth::plugins
