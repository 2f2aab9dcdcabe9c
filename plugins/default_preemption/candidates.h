#pragma once

// Nodes that could run the pod if some pods were evicted, and the choice among them.

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
  int64_t started_at = 0;  // INT64_MAX: not started
};

// True if `a` is to be evicted after `b`: it has the higher priority, or the same and it runs for
// longer.
bool more_important(const PlacedPod& a, const PlacedPod& b);

struct Candidate {
  size_t node = 0;                 // position of the call
  std::vector<PlacedPod> victims;  // not empty; the most important first
  int64_t violations = 0;          // victims whose disruption budget does not allow it
};

// The candidate whose preemption does the least harm: fewest violations, lowest highest priority,
// lowest sum of priorities, fewest victims, latest start of the victims of the highest priority;
// the first of those that are equal in all. Precondition: there is one.
const Candidate& best_candidate(std::span<const Candidate> candidates);

// The candidates that were found, in the order in which their nodes were tried.
class CandidateList {
 public:
  // `wanted`: of each kind (with and without violations) no more are kept.
  explicit CandidateList(size_t wanted) : wanted_(wanted) {}

  void add(Candidate candidate);
  // True if no further node needs to be tried: enough were found, one of them without violation.
  bool enough() const { return !clean_.empty() && clean_.size() + violating_.size() >= wanted_; }
  // How many nodes have to be tried at least until there are enough.
  size_t missing() const;
  // The candidates that are kept, those without violations first. Called once, at the end.
  std::vector<Candidate> take();

 private:
  size_t wanted_;
  std::vector<Candidate> clean_, violating_;
};

}  // namespace berth::plugins
