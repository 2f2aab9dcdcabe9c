#pragma once

// Keeps the outcomes of a run's pods so far: the latest outcome of each pod that is not on a node,
// and counts and waits of those that are.
//
// A pod may be tried many times, so an outcome is final only when the run ends.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/histogram.h"
#include "engine/output/summary.h"
#include "engine/runtime/core.h"

namespace berth::cli {

class Outcomes {
 public:
  // `now`: of the run's clock.
  void take(const runtime::Report& report, Time now);

  // Adds the counts of pods, their waits and messages. A pod that is still terminating counts as
  // deleted. The cluster is that of the reports.
  void add_to(output::Summary& summary, const model::Cluster& cluster) const;
  // Pods that wait in a queue and were tried, or are gated.
  uint64_t waiting() const;

 private:
  enum class Kind : uint8_t { kUnschedulable, kFailed, kGated, kGateFailed, kTerminating };
  struct Left {
    Kind kind = Kind::kUnschedulable;
    uint32_t text = 0;  // index into texts_
  };

  void leave(model::PodId pod, Kind kind, std::string_view text);
  void come(model::PodId pod);
  void on(const runtime::Bound& to, Time now);
  void on(const runtime::Nominated& to);
  void on(const runtime::BoundByAnother& to);

  boost::unordered_flat_map<uint64_t, Left> left_;  // by handle: pods without a node
  std::vector<std::string> texts_;
  std::map<std::string, uint32_t, std::less<>> text_ids_;
  Histogram attempts_, waits_;  // of bound pods; waits in microseconds of the run's clock
  Histogram victims_;           // of each preemption
  uint64_t evicted_now_ = 0;    // for the pod of the decision under way
  uint64_t scheduled_ = 0, ignored_ = 0, evicted_ = 0, disrupted_ = 0, nominations_ = 0;
  uint64_t oom_kills_ = 0;               // of containers
  uint64_t succeeded_ = 0, exited_ = 0;  // pods that ended by themselves: with 0, with other codes
  uint64_t deleted_ = 0;                 // while they had no node
  uint64_t bound_by_another_ = 0;
};

}  // namespace berth::cli
