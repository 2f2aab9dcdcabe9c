// The way of pods into the queues: from outside, from waiting, from an attempt, from backoff.

#include <algorithm>

#include "engine/base/assert.h"
#include "engine/queue/scheduling_queue.h"

namespace berth::queue {

void SchedulingQueue::begin_move(uint32_t index, bool immediately) {
  const Place from = pods_[index].place;
  const bool waited = from == Place::kUnschedulable || from == Place::kGated;
  if (from != Place::kNone) leave(index);
  begin_move(pods_[index], index, immediately, waited);
}

// Precondition: the pod is in no order.
void SchedulingQueue::begin_move(const QueuedPod& pod, uint32_t index, bool immediately,
                                 bool waited) {
  // Written where it stays: a copy would read back small stores at once, which stalls.
  Moving& moving = moving_.emplace_back();
  moving.number = pod.number;
  moving.index = index;
  moving.immediately = immediately;
  moving.waited = waited;
}

void SchedulingQueue::requeue(const Move& move, Time now) {
  for (Moving& moving : moving_) {
    const bool over = moving.immediately || backoff_is_over(pods_[moving.index], now);
    moving.to = over ? Place::kActive : Place::kBackoff;
  }
  ask_hooks(move);
  std::array<uint64_t, kPlaces> entered{};
  for (const Moving& moving : moving_) {
    if (!enter(moving, move, now)) continue;
    ++entered[static_cast<size_t>(moving.to)];
    if (watch_ != nullptr) tell(moving, move, now);
  }
  for (size_t place = 0; place < kPlaces; ++place)
    if (entered[place] != 0) moves_.count(move, static_cast<Place>(place), entered[place]);
  moving_.clear();
}

// Hooks answer about pods of one profile; pods enter in the order of moving_ all the same.
void SchedulingQueue::ask_hooks(const Move& move) {
  profiles_.clear();
  for (const Moving& moving : moving_) {
    const ProfileId profile = pods_[moving.index].profile;
    if (!profiles_.empty() && profiles_.back() == profile) continue;
    if (std::find(profiles_.begin(), profiles_.end(), profile) == profiles_.end())
      profiles_.push_back(profile);
  }
  for (const ProfileId profile : profiles_) {
    ask_gates(profile, moving_, move);
    ask_keys(profile, moving_);
  }
}

// False: the pod waits as before, which does not count as a move.
bool SchedulingQueue::enter(const Moving& moving, const Move& move, Time now) {
  if (moving.to == Place::kActive) {
    QueuedPod& pod = pods_[moving.index];
    if (pod.first_active == Time::min()) pod.first_active = now;
    push_active(moving.index, moving.key);
  } else if (moving.to == Place::kBackoff) {
    push_backoff(moving.index, moving.key);
  } else {
    wait(moving.index, moving.to);
    const bool stays = move.cause == MoveCause::kPodUpdate || move.cause == MoveCause::kActivated;
    if (stays && moving.waited) return false;
  }
  return true;
}

void SchedulingQueue::tell(const Moving& moving, const Move& move, Time now) {
  const bool backs_off = !moving.immediately && !backoff_is_over(pods_[moving.index], now);
  watch_->entered({pods_.id(moving.index), move, moving.to, moving.immediately, backs_off});
}

// Of the pods of that profile.
void SchedulingQueue::ask_gates(ProfileId profile, std::span<Moving> pods, const Move& move) {
  const bool one_profile = profiles_.size() == 1;  // mostly, and the pods need no look then
  const bool asked_before = options_.pop_from_backoff && move.cause == MoveCause::kBackoffOver;
  const auto asks = [&](const Moving& moving) {
    if (!one_profile && pods_[moving.index].profile != profile) return false;
    return moving.to == Place::kActive ? !asked_before : options_.pop_from_backoff;
  };
  ids_.clear();
  gates_.clear();
  for (const Moving& moving : pods) {
    if (!asks(moving)) continue;
    ids_.push_back(pods_.id(moving.index));
    gates_.push_back(refused_[pods_[moving.index].refusal].gated_by);
  }
  if (ids_.empty()) return;
  hooks_.gate(profile, ids_, gates_);
  size_t answered = 0;
  for (Moving& moving : pods) {
    if (!asks(moving)) continue;
    const RefuserId by = gates_[answered++];
    QueuedPod& pod = pods_[moving.index];
    if (by != refused_[pod.refusal].gated_by) pod.refusal = refused_.gated(pod.refusal, by);
    if (by != kNobody) moving.to = Place::kGated;
  }
}

bool SchedulingQueue::needs_key(const Moving& moving) const {
  if (moving.to == Place::kActive) return true;
  return moving.to == Place::kBackoff && options_.pop_from_backoff &&
         pods_[moving.index].refusal != 0;
}

// Of the pods of that profile.
void SchedulingQueue::ask_keys(ProfileId profile, std::span<Moving> pods) {
  const bool one_profile = profiles_.size() == 1;
  const auto asks = [&](const Moving& moving) {
    return (one_profile || pods_[moving.index].profile == profile) && needs_key(moving);
  };
  ids_.clear();
  for (const Moving& moving : pods)
    if (asks(moving)) ids_.push_back(pods_.id(moving.index));
  if (ids_.empty()) return;
  keys_.resize(ids_.size());
  hooks_.sort_keys(profile, ids_, keys_);
  size_t answered = 0;
  for (Moving& moving : pods)
    if (asks(moving)) moving.key = keys_[answered++];
}

void SchedulingQueue::add(ProfileId profile, std::span<const model::PodId> pods, Time now) {
  add_new(profile, pods, {MoveCause::kPodAdd}, now);
}

void SchedulingQueue::add_new(ProfileId profile, std::span<const model::PodId> pods,
                              const Move& move, Time now) {
  for (const model::PodId id : pods) {
    QueuedPod& pod = pods_.add(id);
    pod.profile = profile;
    enter_queue_time(pod, id.index, now);
    begin_move(pod, id.index, false, false);
  }
  sizes_[static_cast<size_t>(Place::kNone)] += pods.size();
  requeue(move, now);
}

void SchedulingQueue::add_unschedulable(model::PodId id, const Refusers& refusers, Time now) {
  if (refusers.empty()) return add_error(id, now);
  QueuedPod& pod = known(id);
  BERTH_ASSERT(pod.place == Place::kInFlight || pod.place == Place::kPastRefusal);
  const Strategy strategy = judge_returning(pod, refusers);
  leave(id.index);
  ++pod.refusals;
  pod.errors = 0;
  pod.refusal = refused_.refusal(refusers);
  enter_queue_time(pod, id.index, now);
  const Move move{MoveCause::kAttemptFailed};
  if (strategy == Strategy::kStay) {
    wait(id.index, Place::kUnschedulable);
    moves_.count(move, Place::kUnschedulable);
    if (watch_ != nullptr) watch_->entered({id, move, Place::kUnschedulable});
    return;
  }
  begin_move(id.index, strategy == Strategy::kImmediately);
  requeue(move, now);
}

void SchedulingQueue::add_error(model::PodId id, Time now) {
  QueuedPod& pod = known(id);
  BERTH_ASSERT(pod.place == Place::kInFlight || pod.place == Place::kPastRefusal);
  leave(id.index);
  ++pod.errors;
  pod.refusal = 0;
  enter_queue_time(pod, id.index, now);
  begin_move(id.index, false);
  requeue({MoveCause::kAttemptFailed}, now);
}

void SchedulingQueue::activate(std::span<const model::PodId> pods, Time now) {
  for (const model::PodId id : pods) {
    switch (place(id)) {
      case Place::kBackoff:
      case Place::kErrorBackoff:
      case Place::kUnschedulable:
      case Place::kGated:
        begin_move(id.index, true);
        break;
      case Place::kInFlight:
        flights_[pods_[id.index].slot].forced = true;
        break;
      default:
        break;
    }
  }
  requeue({MoveCause::kActivated}, now);
}

}  // namespace berth::queue
