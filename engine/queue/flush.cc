// Moves pods as time passes: backoff ends, and pods that wait for too long are tried again.

#include "engine/queue/scheduling_queue.h"

namespace berth::queue {

void SchedulingQueue::flush_backoff(Time now) {
  const auto over = [&](Time until) { return backoff_.over(until, now); };
  for (const Place from : {Place::kBackoff, Place::kErrorBackoff})
    for (uint32_t index; (index = places_.leave_backoff(from, over)) != kNoIndex;)
      moving_.add(index, true, false);
  requeue({MoveCause::kBackoffOver}, now);
}

// A gated pod is not moved. It counts all the same: kube-scheduler tells pods in flight of each
// flush that found any pod to be late.
void SchedulingQueue::flush_unschedulable(Time now) {
  const auto late = [&](uint32_t index) {
    return index != kNoIndex && now - places_[index].queued_at > options_.max_unschedulable;
  };
  const bool any =
      late(places_.longest(Place::kUnschedulable)) || late(places_.longest(Place::kGated));
  if (!any) return;
  for (size_t slot = 0; slot < places_.flights().size(); ++slot) places_.force_flight(slot);
  for (uint32_t first; late(first = places_.longest(Place::kUnschedulable));) {
    places_[first].timed_out = true;
    moving_.take(first, false);
  }
  if (late(places_.longest(Place::kGated)))
    for (const model::PodId pod : places_.list(Place::kGated))
      if (late(pod.index)) places_[pod.index].timed_out = true;
  requeue({MoveCause::kTimedOut}, now);
}

}  // namespace berth::queue
