#include "engine/queue/scheduling_queue.h"

#include <algorithm>

#include "engine/base/assert.h"

namespace berth::queue {

SchedulingQueue::SchedulingQueue(QueueHooks& hooks, QueueOptions options)
    : hooks_(hooks),
      options_(options),
      backoff_(options.initial_backoff, options.max_backoff, options.pop_from_backoff),
      active_(pods_, options.equal_times),
      backing_off_(pods_, options.equal_times),
      failed_(pods_, options.equal_times) {}

void SchedulingQueue::set_interest(const Interest& interest) {
  BERTH_ASSERT(std::all_of(sizes_.begin(), sizes_.end(), [](size_t size) { return size == 0; }));
  interests_.add(interest);
}

QueuedPod& SchedulingQueue::known(model::PodId pod) {
  QueuedPod* row = pods_.find(pod);
  BERTH_ASSERT(row != nullptr);
  return *row;
}

const QueuedPod& SchedulingQueue::known(model::PodId pod) const {
  return const_cast<SchedulingQueue*>(this)->known(pod);
}

std::optional<Time> SchedulingQueue::until(const QueuedPod& pod) const {
  return backoff_.until(pod.queued_at, pod.refusals, pod.errors);
}

void SchedulingQueue::put(QueuedPod& pod, Place place) {
  BERTH_ASSERT(kFollowingPlaces.may_follow(pod.place, place));
  --sizes_[static_cast<size_t>(pod.place)];
  ++sizes_[static_cast<size_t>(place)];
  pod.place = place;
}

void SchedulingQueue::leave(uint32_t index) {
  QueuedPod& pod = pods_[index];
  const Place place = pod.place;
  put(pod, Place::kNone);
  ++pod.version;
  switch (place) {
    case Place::kActive:
      return active_.erase(index);
    case Place::kBackoff:
      return backing_off_.erase(index);
    case Place::kErrorBackoff:
      return failed_.erase(index);
    case Place::kUnschedulable:
      refused_.erase(pods_, index);
      return waiting_.forget(valid());
    case Place::kGated:
      refused_.erase(pods_, index);
      return gated_.forget(valid());
    case Place::kInFlight:
      return flights_.erase(pods_, index);
    case Place::kPastRefusal:
    case Place::kNone:
      return;
  }
}

void SchedulingQueue::wait(uint32_t index, Place place) {
  QueuedPod& pod = pods_[index];
  BERTH_ASSERT((refused_[pod.refusal].gated_by != kNobody) == (place == Place::kGated));
  refused_.insert(pods_, index, hooks_.group(pods_.id(index)));
  (place == Place::kGated ? gated_ : waiting_).push({pod.number, {index, pod.version}});
  put(pod, place);
}

ActiveEntry SchedulingQueue::active_entry(uint32_t index, const SortKey& key) const {
  const QueuedPod& pod = pods_[index];
  return {OrderedKey(key), pod.number, {index, pod.version}};
}

BackoffEntry SchedulingQueue::backoff_entry(uint32_t index, const SortKey& key) const {
  return {*until(pods_[index]), active_entry(index, key)};
}

void SchedulingQueue::push_active(uint32_t index, const SortKey& key) {
  active_.push(active_entry(index, key));
  put(pods_[index], Place::kActive);
}

// kube-scheduler tells errors from refusals by whether anybody refused the pod, a gate included.
void SchedulingQueue::push_backoff(uint32_t index, const SortKey& key) {
  const bool failed = pods_[index].refusal == 0;
  (failed ? failed_ : backing_off_).push(backoff_entry(index, key));
  put(pods_[index], failed ? Place::kErrorBackoff : Place::kBackoff);
}

void SchedulingQueue::enter_queue_time(QueuedPod& pod, uint32_t index, Time now) {
  pod.queued_at = now;
  pod.number = ++numbers_;
  if (!options_.equal_times || moment_ == 0 || now != moment_at_) moment_ = pod.number;
  moment_at_ = now;
  hooks_.queued({index, pod.generation}, now, moment_);
}

model::PodId SchedulingQueue::fly(uint32_t index) {
  QueuedPod& pod = pods_[index];
  ++pod.version;
  ++pod.attempts;
  pod.refusal = 0;
  put(pod, Place::kInFlight);
  pod.slot = flights_.insert(index);
  return {index, pod.generation};
}

void SchedulingQueue::next_active(size_t most, std::vector<model::PodId>& pods) const {
  active_.for_each_next(most, [&](const ActiveEntry& entry) {
    const uint32_t index = entry.ticket.index;
    pods.push_back({index, pods_[index].generation});
  });
}

std::optional<model::PodId> SchedulingQueue::pop() {
  uint32_t index = kNoIndex;
  if (const ActiveEntry* first = active_.first()) {
    index = first->ticket.index;
    active_.drop_first();
  } else if (options_.pop_from_backoff) {
    const BackoffEntry* backing_off = backing_off_.first();
    if (backing_off == nullptr) return std::nullopt;
    index = backing_off->pod.ticket.index;
    backing_off_.drop_first();
    moves_.count({MoveCause::kPoppedFromBackoff}, Place::kActive);
  } else {
    return std::nullopt;
  }
  return fly(index);
}

bool SchedulingQueue::can_pop() const {
  return size(Place::kActive) != 0 || (options_.pop_from_backoff && size(Place::kBackoff) != 0);
}

bool SchedulingQueue::remove(model::PodId pod) {
  QueuedPod* row = pods_.find(pod);
  if (row == nullptr) return false;
  if (row->place == Place::kPastRefusal) {  // mostly: it was bound, and is in no order
    --sizes_[static_cast<size_t>(Place::kPastRefusal)];
    ++row->version;
  } else {
    leave(pod.index);
    --sizes_[static_cast<size_t>(Place::kNone)];
  }
  QueuedPods::remove(*row);
  return true;
}

void SchedulingQueue::done(model::PodId pod) {
  const Place at = place(pod);
  if (at == Place::kInFlight || at == Place::kPastRefusal) remove(pod);
}

void SchedulingQueue::refusal_over(model::PodId pod) {
  QueuedPod* row = pods_.find(pod);
  if (row == nullptr || row->place != Place::kInFlight) return;
  put(*row, Place::kPastRefusal);
  ++row->version;
  flights_.erase(pods_, pod.index);
}

Place SchedulingQueue::place(model::PodId pod) const {
  const QueuedPod* row = pods_.find(pod);
  return row == nullptr ? Place::kNone : row->place;
}

uint32_t SchedulingQueue::attempts(model::PodId pod) const { return known(pod).attempts; }

const Refusers& SchedulingQueue::refusers(model::PodId pod) const {
  return refused_[known(pod).refusal].refusers;
}

RefuserId SchedulingQueue::gated_by(model::PodId pod) const {
  return refused_[known(pod).refusal].gated_by;
}

Time SchedulingQueue::queued_at(model::PodId pod) const { return known(pod).queued_at; }

std::optional<Time> SchedulingQueue::backoff_until(model::PodId pod) const {
  return until(known(pod));
}

std::optional<Time> SchedulingQueue::first_active_at(model::PodId pod) const {
  const Time at = known(pod).first_active;
  return at == Time::min() ? std::nullopt : std::optional(at);
}

std::vector<model::PodId> SchedulingQueue::list(Place place) const {
  std::vector<model::PodId> pods;
  const auto add_all = [&](const auto& order) {
    for (const auto& entry : order.in_order()) pods.push_back(pods_.id(ticket_of(entry).index));
  };
  switch (place) {
    case Place::kActive:
      add_all(active_);
      break;
    case Place::kBackoff:
      add_all(backing_off_);
      break;
    case Place::kErrorBackoff:
      add_all(failed_);
      break;
    default:
      for (uint32_t index = 0; index < pods_.rows(); ++index)
        if (pods_[index].generation != 0 && pods_[index].place == place)
          pods.push_back(pods_.id(index));
  }
  return pods;
}

void SchedulingQueue::flush_backoff(Time now) {
  for (PodOrder<BackoffEntry>* order : {&backing_off_, &failed_}) {
    while (const BackoffEntry* first = order->first()) {
      if (!backoff_.over(first->until, now)) break;
      const uint32_t index = first->pod.ticket.index;
      order->drop_first();
      ++pods_[index].version;
      put(pods_[index], Place::kNone);
      begin_move(index, true);
    }
  }
  requeue({MoveCause::kBackoffOver}, now);
}

// A gated pod is not moved. It counts all the same: kube-scheduler tells pods in flight of each
// flush that found any pod to be late.
void SchedulingQueue::flush_unschedulable(Time now) {
  const auto late = [&](const WaitEntry* first) {
    return first != nullptr &&
           now - pods_[first->ticket.index].queued_at > options_.max_unschedulable;
  };
  const bool any = late(waiting_.first(valid())) || late(gated_.first(valid()));
  if (!any) return;
  for (size_t slot = 0; slot < flights_.size(); ++slot) flights_[slot].forced = true;
  for (const WaitEntry* first = nullptr; late(first = waiting_.first(valid()));)
    begin_move(first->ticket.index, false);
  requeue({MoveCause::kTimedOut}, now);
}

}  // namespace berth::queue
