#pragma once

// Tells when more tries of the pods that wait come to nothing.
//
// kube-scheduler tries an unschedulable pod again after five minutes, whatever happened. In a run a
// decision takes a millisecond of the clock: with more than 300,000 unschedulable pods one round of
// tries takes longer than that, and there would always be a pod to try. Such a run has come to a
// stand when, since the last time that anything helped a pod, each pod that waits could be tried
// once, and longer than those five minutes passed. Counts and the run's clock decide, so it is the
// same each time.
//
// Pods may also wake each other in turns, without an end: a group that does not fit gives up nodes,
// which wakes its pods. If pods are only moved, and none is bound or evicted, the run has come to a
// stand when pods that fail would be given up, too, and kMostRounds such rounds of tries passed.
// One round is none: a victim may take an hour to leave, which moves the pod that gets its place.

#include <cstddef>
#include <cstdint>

#include "engine/base/time.h"
#include "engine/queue/scheduling_queue.h"
#include "engine/runtime/clock.h"

namespace berth::drive {

class Standstill {
 public:
  // Counts that grow when something may help a pod that waits.
  struct Progress {
    uint64_t changes = 0;   // pods that were bound or evicted
    uint64_t moves = 0;     // helpful_moves()
    uint64_t failures = 0;  // decisions that failed, and may not when they are made again
  };

  // `flush`: how long an unschedulable pod waits before it is tried again without a cause.
  // `failing`: so long pods that fail are tried again.
  Standstill(Time flush, Time failing) : flush_(flush), failing_(failing) {}

  // From here on `waiting` pods are to be tried.
  void begin(Time now, uint64_t decisions, size_t waiting, const Progress& progress);
  // As of the last time that it began anew.
  uint64_t changes() const { return progress_.changes; }
  // True if enough was tried since then that reached() may be true: a check that costs nothing.
  bool due(Time now, uint64_t decisions) const {
    return decisions - decisions_ >= waiting_ && now - since_ > flush_;
  }
  // Precondition: due(). Begins anew if there was progress. Once true, it stays true as long as its
  // arguments do not change.
  // `unfinished`: time alone may help a pod, as it may one that fails.
  bool reached(Time now, uint64_t decisions, size_t waiting, const Progress& progress,
               bool unfinished = false);

 private:
  // Rounds of tries in which pods were moved, and none was bound or evicted.
  static constexpr int kMostRounds = 3;

  void restart(Time now, uint64_t decisions, size_t waiting, const Progress& progress);

  const Time flush_, failing_;
  Time since_{};
  uint64_t decisions_ = 0;
  size_t waiting_ = 0;
  Progress progress_;
  Time changed_{};  // when a pod was bound or evicted
  int rounds_ = 0;  // since then
};

// Pods that arrived, or that an update, an event or a plugin moved. Moves by a flush, after an
// attempt and out of backoff are no progress.
uint64_t helpful_moves(const queue::SchedulingQueue& queue);

}  // namespace berth::drive
