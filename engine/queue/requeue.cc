// The way of pods into the queues: from outside, from waiting, from an attempt, from backoff.

#include <array>

#include "engine/base/assert.h"
#include "engine/queue/scheduling_queue.h"

namespace berth::queue {

void SchedulingQueue::requeue(const Move& move, Time now) {
  for (MovingPod& moving : moving_) {
    const bool over = moving.immediately || backoff_is_over(places_[moving.index], now);
    moving.to = over ? Place::kActive : Place::kBackoff;
  }
  moving_.ask(move);
  std::array<uint64_t, kPlaces> entered{};
  for (const MovingPod& moving : moving_) {
    if (!enter(moving, move, now)) continue;
    ++entered[static_cast<size_t>(moving.to)];
    if (watch_ != nullptr) tell(moving, move, now);
  }
  for (size_t place = 0; place < kPlaces; ++place)
    if (entered[place] != 0) moves_.count(move, static_cast<Place>(place), entered[place]);
  moving_.clear();
}

// False: the pod waits as before, which does not count as a move.
bool SchedulingQueue::enter(const MovingPod& moving, const Move& move, Time now) {
  QueuedPod& pod = places_[moving.index];
  if (moving.to == Place::kActive) {
    if (pod.first_active == Time::min()) pod.first_active = now;
    places_.make_active(moving.index, moving.key);
  } else if (moving.to == Place::kBackoff) {
    places_.back_off(moving.index, *until(pod), moving.key);
  } else {
    wait(moving.index);
    BERTH_ASSERT(pod.place == moving.to);
    const bool stays = move.cause == MoveCause::kPodUpdate || move.cause == MoveCause::kActivated;
    if (stays && moving.waited) return false;
  }
  return true;
}

void SchedulingQueue::wait(uint32_t index) { places_.wait(index, hooks_.group(places_.id(index))); }

void SchedulingQueue::tell(const MovingPod& moving, const Move& move, Time now) {
  const bool backs_off = !moving.immediately && !backoff_is_over(places_[moving.index], now);
  watch_->entered({places_.id(moving.index), move, moving.to, moving.immediately, backs_off});
}

void SchedulingQueue::add(ProfileId profile, std::span<const model::PodId> pods, Time now) {
  add_new(profile, pods, {MoveCause::kPodAdd}, now);
}

void SchedulingQueue::add_new(ProfileId profile, std::span<const model::PodId> pods,
                              const Move& move, Time now) {
  for (const model::PodId id : pods) {
    QueuedPod& pod = places_.add(id);
    pod.profile = profile;
    clock_.enter(pod, id, now);
    moving_.add(id.index, false, false);
  }
  requeue(move, now);
}

// The pod leaves flight, and enters the queue anew.
void SchedulingQueue::come_back(QueuedPod& pod, model::PodId id, const Refusers& refusers,
                                Time now) {
  places_.leave(id.index);
  places_.refuse(id.index, refusers);
  clock_.enter(pod, id, now);
  pod.timed_out = false;
}

void SchedulingQueue::add_unschedulable(model::PodId id, const Refusers& refusers, Time now) {
  if (refusers.empty()) return add_error(id, now);
  QueuedPod& pod = in_flight(id);
  const Strategy strategy = judge_returning(pod, refusers);
  ++pod.refusals;
  pod.errors = 0;
  come_back(pod, id, refusers, now);
  const Move move{MoveCause::kAttemptFailed};
  if (strategy == Strategy::kStay) {
    wait(id.index);
    BERTH_ASSERT(pod.place == Place::kUnschedulable);
    moves_.count(move, Place::kUnschedulable);
    if (watch_ != nullptr) watch_->entered({id, move, Place::kUnschedulable});
    return;
  }
  moving_.take(id.index, strategy == Strategy::kImmediately);
  requeue(move, now);
}

void SchedulingQueue::add_error(model::PodId id, Time now) {
  QueuedPod& pod = in_flight(id);
  ++pod.errors;
  come_back(pod, id, {}, now);
  moving_.take(id.index, false);
  requeue({MoveCause::kAttemptFailed}, now);
}

void SchedulingQueue::activate(std::span<const model::PodId> pods, Time now) {
  for (const model::PodId id : pods) {
    switch (place(id)) {
      case Place::kBackoff:
      case Place::kErrorBackoff:
      case Place::kUnschedulable:
      case Place::kGated:
        moving_.take(id.index, true);
        break;
      case Place::kInFlight:
        places_.force_flight(places_[id.index].slot);
        break;
      default:
        break;
    }
  }
  requeue({MoveCause::kActivated}, now);
}

}  // namespace berth::queue
