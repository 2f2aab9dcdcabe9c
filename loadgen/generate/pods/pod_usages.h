#pragma once

// The use of pods, as a PodMetrics of each, again and again from its arrival on.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "loadgen/generate/cluster/generated_cluster.h"
#include "loadgen/generate/pods/pod_identity.h"
#include "loadgen/generate/tick_clock.h"
#include "loadgen/play/load.h"

namespace berth::loadgen {

// One thread.
class PodUsages {
 public:
  // Both must outlive this.
  PodUsages(const GeneratedCluster& cluster, const TickClock& clock)
      : cluster_(cluster), clock_(clock) {}

  // A pod of a template arrives at the latest time of the clock. `ends`: the tick from which on
  // nothing is told of it; kNever: there is none.
  void begin(const PodIdentity& pod, int64_t ends);
  // The tick of the next report; kNever: there is none.
  int64_t next() const { return reports_.empty() ? kNever : reports_.begin()->first; }
  // Adds the next report to the step. Requires: next() < kNever.
  void report_next(LoadStep& step);

 private:
  struct Report {
    PodIdentity pod;
    uint64_t number;  // of the pod's reports, from 0
    int64_t at;       // before it was rounded to a tick
    int64_t ends;     // see begin()
  };

  void plan(const Report& report);
  std::string metrics(const Report& report);

  const GeneratedCluster& cluster_;
  const TickClock& clock_;
  // By tick, never empty ones. Those of one tick go out from the front.
  std::map<int64_t, std::vector<Report>> reports_;
  size_t told_ = 0;   // of the earliest tick
  std::string name_;  // scratch space
};

}  // namespace berth::loadgen
