#include "engine/queue/places/pod_places.h"

#include "engine/base/assert.h"

namespace berth::queue {

PodPlaces::PodPlaces(bool equal_times, size_t key_bytes)
    : tails_(key_bytes),
      active_(pods_, tails_, equal_times),
      backing_off_(pods_, tails_, equal_times),
      failed_(pods_, tails_, equal_times) {}

QueuedPod& PodPlaces::add(model::PodId pod) {
  QueuedPod& row = pods_.add(pod);
  ++sizes_[static_cast<size_t>(Place::kNone)];
  return row;
}

void PodPlaces::remove(uint32_t index) {
  QueuedPod& pod = pods_[index];
  if (pod.place == Place::kPastRefusal) {  // mostly: it was bound, and is in no order
    --sizes_[static_cast<size_t>(Place::kPastRefusal)];
    ++pod.version;
  } else {
    leave(index);
    --sizes_[static_cast<size_t>(Place::kNone)];
  }
  QueuedPods::remove(pod);
}

void PodPlaces::refuse(uint32_t index, const Refusers& refusers) {
  QueuedPod& pod = pods_[index];
  BERTH_ASSERT(pod.place == Place::kNone);
  pod.refusal = refused_.refusal(refusers);
}

void PodPlaces::gate(uint32_t index, RefuserId by) {
  QueuedPod& pod = pods_[index];
  BERTH_ASSERT(pod.place == Place::kNone);
  if (by != refused_[pod.refusal].gated_by) pod.refusal = refused_.gated(pod.refusal, by);
}

void PodPlaces::put(QueuedPod& pod, Place place) {
  BERTH_ASSERT(kFollowingPlaces.may_follow(pod.place, place));
  --sizes_[static_cast<size_t>(pod.place)];
  ++sizes_[static_cast<size_t>(place)];
  pod.place = place;
}

PodOrder<BackoffEntry>& PodPlaces::backoff(Place place) {
  BERTH_ASSERT(place == Place::kBackoff || place == Place::kErrorBackoff);
  return place == Place::kBackoff ? backing_off_ : failed_;
}

EntryQueue<WaitEntry>& PodPlaces::waiting(Place place) {
  BERTH_ASSERT(place == Place::kUnschedulable || place == Place::kGated);
  return place == Place::kUnschedulable ? waiting_ : gated_;
}

void PodPlaces::leave(uint32_t index) {
  QueuedPod& pod = pods_[index];
  const Place place = pod.place;
  put(pod, Place::kNone);
  ++pod.version;
  switch (place) {
    case Place::kActive:
      return active_.erase(index);
    case Place::kBackoff:
    case Place::kErrorBackoff:
      return backoff(place).erase(index);
    case Place::kUnschedulable:
    case Place::kGated:
      refused_.erase(pods_, index);
      return waiting(place).forget(valid());
    case Place::kInFlight:
      return flights_.erase(pods_, index);
    case Place::kPastRefusal:
    case Place::kNone:
      return;
  }
}

ActiveEntry PodPlaces::entry(uint32_t index, const SortKey& key) const {
  const QueuedPod& pod = pods_[index];
  return {OrderedKey(key), pod.number, {index, pod.version}};
}

void PodPlaces::make_active(uint32_t index, const SortKey& key) {
  active_.push(entry(index, key));
  put(pods_[index], Place::kActive);
}

// kube-scheduler tells errors from refusals by whether anybody refused the pod, a gate included.
void PodPlaces::back_off(uint32_t index, Time until, const SortKey& key) {
  const Place place = pods_[index].refusal == 0 ? Place::kErrorBackoff : Place::kBackoff;
  backoff(place).push({until, entry(index, key)});
  put(pods_[index], place);
}

void PodPlaces::wait(uint32_t index, uint32_t group) {
  QueuedPod& pod = pods_[index];
  const Place place = gated_by(index) == kNobody ? Place::kUnschedulable : Place::kGated;
  refused_.insert(pods_, index, group);
  waiting(place).push({pod.number, {index, pod.version}});
  put(pod, place);
}

void PodPlaces::renew_active(uint32_t index, const SortKey& key) {
  BERTH_ASSERT(pods_[index].place == Place::kActive);
  ++pods_[index].version;
  active_.update(entry(index, key));
}

void PodPlaces::renew_backoff(uint32_t index, Time until, const SortKey& key) {
  PodOrder<BackoffEntry>& order = backoff(pods_[index].place);
  ++pods_[index].version;
  order.update({until, entry(index, key)});
}

void PodPlaces::regroup(uint32_t index, uint32_t group) {
  const Place place = pods_[index].place;
  BERTH_ASSERT(place == Place::kUnschedulable || place == Place::kGated);
  refused_.erase(pods_, index);
  refused_.insert(pods_, index, group);
}

uint32_t PodPlaces::fly_first(Place from) {
  uint32_t index = kNoIndex;
  if (from == Place::kActive) {
    const ActiveEntry* first = active_.first();
    if (first == nullptr) return kNoIndex;
    index = first->ticket.index;
    active_.drop_first();
  } else {
    BERTH_ASSERT(from == Place::kBackoff);
    const BackoffEntry* first = backing_off_.first();
    if (first == nullptr) return kNoIndex;
    index = first->pod.ticket.index;
    backing_off_.drop_first();
  }
  QueuedPod& pod = pods_[index];
  ++pod.version;
  pod.refusal = 0;
  put(pod, Place::kInFlight);
  pod.slot = flights_.insert(index);
  return index;
}

void PodPlaces::pass_refusal(uint32_t index) {
  QueuedPod& pod = pods_[index];
  put(pod, Place::kPastRefusal);
  ++pod.version;
  flights_.erase(pods_, index);
}

uint32_t PodPlaces::longest(Place place) {
  const WaitEntry* first = waiting(place).first(valid());
  return first == nullptr ? kNoIndex : first->ticket.index;
}

std::vector<model::PodId> PodPlaces::list(Place place) const {
  std::vector<model::PodId> pods;
  const auto add_all = [&](const auto& order) {
    for (const auto& entry : order.in_order()) pods.push_back(id(ticket_of(entry).index));
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
        if (pods_[index].generation != 0 && pods_[index].place == place) pods.push_back(id(index));
  }
  return pods;
}

}  // namespace berth::queue
