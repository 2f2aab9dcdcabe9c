#pragma once

// Metrics of batches: equal pods that follow each other and share what the first one's decision
// scored (framework/batches/batch.h). They exist where the rules have batches.
//
// Source: kube-scheduler v1.36.2 runtime/batch.go. One thread writes, that of the core. Any thread
// may collect the registry meanwhile.

#include <array>
#include <vector>

#include "engine/framework/decision/point_watch.h"
#include "engine/metrics/families.h"
#include "engine/runtime/core.h"

namespace berth::metrics {

class BatchMetrics {
 public:
  // The registry and the core outlive the object.
  BatchMetrics(prometheus::Registry& registry, const runtime::Core& core);

  // As framework::PointWatch has it. `profile`: the position of the profile in the core's list.
  void asked(size_t profile, framework::BatchMiss miss, Time took);
  void told(size_t profile, bool named, framework::BatchEnd end, Time took);

 private:
  const std::string& name(size_t profile) const;
  void count(size_t profile, const char* result);
  void flush(size_t profile, const char* reason);

  const runtime::Core& core_;
  Counters& attempts_;
  Counters& flushes_;
  Histograms& hints_;
  Histograms& stores_;
};

}  // namespace berth::metrics
