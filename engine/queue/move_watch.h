#pragma once

#include "engine/model/pods/pod_id.h"
#include "engine/queue/move_counts.h"
#include "engine/queue/place.h"

namespace berth::queue {

// Hears of each pod that enters a queue, one by one, for logs. Calls come from operations of the
// queue, on its thread, after the pod entered, and must not call the queue's operations. Pods that
// leave backoff because nothing is active are not told.
class MoveWatch {
 public:
  virtual ~MoveWatch() = default;

  struct Entered {
    model::PodId pod;
    Move move;
    Place to;                  // kActive, kBackoff, kUnschedulable or kGated
    bool immediately = false;  // whatever backoff is left
    bool backs_off = false;    // it would back off; a gate may keep it from that
  };
  virtual void entered(const Entered& pod) = 0;
};

}  // namespace berth::queue
