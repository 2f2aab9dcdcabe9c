#pragma once

// Draws when pods end, and ends them.

#include <cstdint>
#include <string>

#include "loadgen/generate/cluster/generated_cluster.h"
#include "loadgen/generate/pods/endings.h"
#include "loadgen/generate/pods/pod_identity.h"
#include "loadgen/generate/tick_clock.h"
#include "loadgen/play/load.h"

namespace berth::loadgen {

// One thread.
class Lifetimes {
 public:
  // Both must outlive this.
  Lifetimes(const GeneratedCluster& cluster, const TickClock& clock)
      : cluster_(cluster), clock_(clock) {}

  // Begins the lifetime of a pod at the latest time of the clock. It is drawn for `of`, the index
  // of the arrival or owner, and `number`, which no other pod of `of` has. Returns the tick in
  // which the pod ends; kNever: it does not.
  int64_t begin(const PodIdentity& pod, const Distribution& lifetime, uint32_t of, uint64_t number);
  // The earliest tick in which a pod ends; kNever without pods.
  int64_t next() const { return endings_.next(); }
  // Ends the next pod, and the claims that it has for itself. Requires: next() < kNever.
  void end_next(LoadStep& step);

 private:
  const GeneratedCluster& cluster_;
  const TickClock& clock_;
  Endings endings_;
  std::string name_;  // scratch space
};

}  // namespace berth::loadgen
