#pragma once

// The course of a run on its clock: pods in the queues, evictions, and when the run has come
// through them. One thread, that of the core.

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/drive/course/queue_history.h"
#include "engine/drive/course/recovery_watch.h"
#include "engine/output/summary.h"
#include "engine/runtime/core.h"

namespace berth::drive {

// The numbers of pods in the queues and on their way to a node now, without a time.
output::QueueSizes queue_sizes(const runtime::Core& core);

// All functions take the core whose reports take() gets.
class RunCourse {
 public:
  void take(const runtime::Report& report, const runtime::Core& core);
  // The core's clock moved. To be called before each decision, too.
  void time_passed(const runtime::Core& core) {
    if (queues_.due(core.now())) sample(core);
    if (recovery_.open()) look(core);
  }
  // The run ends: the last sample is of now.
  void end(const runtime::Core& core) { sample(core); }

  // Pods that controllers evicted.
  uint64_t disrupted() const { return disrupted_; }
  const std::vector<output::QueueSizes>& queues() const { return queues_.samples(); }
  // Nothing: controllers evicted no pod.
  std::optional<output::Recovery> recovery() const { return recovery_.result(); }

 private:
  void sample(const runtime::Core& core);
  void look(const runtime::Core& core);

  QueueHistory queues_;
  RecoveryWatch recovery_;
  uint64_t preempted_ = 0, disrupted_ = 0;
};

}  // namespace berth::drive
