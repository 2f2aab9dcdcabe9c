#pragma once

#include <cstdint>

#include "engine/queue/places/queued_pods.h"
#include "engine/queue/queue_hooks.h"

namespace berth::queue {

// Gives pods the time at which they enter the queue, and tells the hooks of it. One thread.
class EntryClock {
 public:
  // `hooks` outlives the clock. `equal_times` as QueueOptions has it.
  EntryClock(QueueHooks& hooks, bool equal_times) : hooks_(hooks), equal_times_(equal_times) {}

  // `id` is the pod's. `now` is never earlier than before.
  void enter(QueuedPod& pod, model::PodId id, Time now) {
    pod.queued_at = now;
    pod.number = ++entries_;
    if (!equal_times_ || moment_ == 0 || now != moment_at_) moment_ = pod.number;
    moment_at_ = now;
    hooks_.queued(id, now, moment_);
  }

 private:
  QueueHooks& hooks_;
  bool equal_times_;
  uint64_t entries_ = 0;  // so far
  uint64_t moment_ = 0;   // of the latest entry, see QueueHooks::queued
  Time moment_at_{};
};

}  // namespace berth::queue
