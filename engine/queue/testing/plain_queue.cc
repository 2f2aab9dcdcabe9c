#include "engine/queue/testing/plain_queue.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace berth::queue {
namespace {

bool waits(const PlainPod& pod) {
  return pod.place == Place::kUnschedulable || pod.place == Place::kGated;
}

}  // namespace

PlainPod* PlainQueue::find(model::PodId id) {
  const auto at =
      std::find_if(pods_.begin(), pods_.end(), [&](const PlainPod& pod) { return pod.id == id; });
  return at == pods_.end() ? nullptr : &*at;
}

size_t PlainHeap::position(model::PodId pod) const {
  return static_cast<size_t>(std::find(pods_.begin(), pods_.end(), pod) - pods_.begin());
}

void PlainHeap::push(model::PodId pod, const Before& before) {
  pods_.push_back(pod);
  up(pods_.size() - 1, before);
}

void PlainHeap::remove(model::PodId pod, const Before& before) {
  const size_t at = position(pod), last = pods_.size() - 1;
  std::swap(pods_[at], pods_[last]);
  if (at != last) {
    down(at, last, before);
    up(at, before);
  }
  pods_.pop_back();
}

void PlainHeap::fix(model::PodId pod, const Before& before) {
  const size_t at = position(pod);
  down(at, pods_.size(), before);
  up(at, before);
}

void PlainHeap::up(size_t at, const Before& before) {
  if (at == 0) return;
  const size_t parent = (at - 1) / 2;
  if (!before(pods_[at], pods_[parent])) return;
  std::swap(pods_[at], pods_[parent]);
  up(parent, before);
}

void PlainHeap::down(size_t at, size_t end, const Before& before) {
  const size_t left = 2 * at + 1, right = left + 1;
  if (left >= end) return;
  const size_t child = right < end && before(pods_[right], pods_[left]) ? right : left;
  if (!before(pods_[child], pods_[at])) return;
  std::swap(pods_[child], pods_[at]);
  down(child, end, before);
}

PlainHeap* PlainQueue::heap(Place place) {
  return place == Place::kActive         ? &active_
         : place == Place::kBackoff      ? &backing_off_
         : place == Place::kErrorBackoff ? &failed_
                                         : nullptr;
}

void PlainQueue::move(PlainPod& pod, Place to) {
  if (PlainHeap* from = heap(pod.place)) from->remove(pod.id, before_in(pod.place));
  pod.place = to;
  if (PlainHeap* into = heap(to)) into->push(pod.id, before_in(to));
}

void PlainQueue::remove(model::PodId id) {
  move(*find(id), Place::kNone);
  std::erase_if(pods_, [&](const PlainPod& pod) { return pod.id == id; });
}

bool PlainQueue::matches(const Interest& interest, const QueueEvent& event) const {
  return (interest.kinds & event.kind) != 0 && (interest.actions & event.action) == event.action;
}

bool PlainQueue::wanted(const QueueEvent& event) const {
  for (const Interest& interest : interests_)
    if (matches(interest, event)) return true;
  return false;
}

bool PlainQueue::gate_wants(const PlainPod& pod, const QueueEvent& event) const {
  for (const Interest& interest : interests_)
    if (interest.refuser == pod.gate && matches(interest, event)) return true;
  return false;
}

// A pod that nobody refused is always worth it. A wildcard event helps all, or the one pod that it
// is for. Otherwise the refusers that want the event are asked.
PlainQueue::Worth PlainQueue::worth(const PlainPod& pod, const PastEvent& past) const {
  if (pod.refusers.empty()) return kAfterBackoff;
  if (past.wildcard) return !past.only || past.only == pod.id ? kAfterBackoff : kSkip;
  Worth worth = kSkip;
  for (const Interest& interest : interests_) {
    if (interest.profile != pod.profile || !matches(interest, past.event)) continue;
    if (!pod.refusers.contains(interest.refuser)) continue;
    const uint32_t group = world_.pods.at(pod.id).group;
    if (interest.has_hint && !world_.helps(past.event, interest.refuser, group)) continue;
    worth = std::max(worth, pod.pending.contains(interest.refuser) ? kImmediately : kAfterBackoff);
  }
  return worth;
}

PlainQueue::Worth PlainQueue::worth_since_popped(const PlainPod& pod) const {
  if (pod.refusers.empty() || pod.place == Place::kPastRefusal) return kAfterBackoff;
  Worth best = kSkip;
  for (size_t i = pod.popped_at; i < events_.size(); ++i)
    best = std::max(best, worth(pod, events_[i]));
  return best;
}

std::optional<Time> PlainQueue::until(const PlainPod& pod) const {
  if (options_.max_backoff == Time{}) return std::nullopt;
  const uint32_t failures = pod.errors != 0 ? pod.errors : pod.refusals;
  if (failures == 0) return std::nullopt;
  const double doubled = static_cast<double>(options_.initial_backoff.count()) *
                         std::pow(2.0, static_cast<double>(failures - 1));
  const bool most = doubled > static_cast<double>(options_.max_backoff.count());
  Time end = pod.queued_at + (most ? options_.max_backoff : Time(static_cast<int64_t>(doubled)));
  if (options_.pop_from_backoff) end -= end % std::chrono::seconds(1);
  return end;
}

bool PlainQueue::backing_off(const PlainPod& pod, Time now) const {
  if (options_.pop_from_backoff) now -= now % std::chrono::seconds(1);
  const std::optional<Time> end = until(pod);
  return end && *end >= now;
}

// Active pods by priority and queue time; pods that back off by the end of backoff, and then,
// unless they failed or are never popped early, as active pods. With equal times nothing else
// counts; without, the entry does.
bool PlainQueue::goes_before(Place place, model::PodId first, model::PodId second) const {
  const PlainPod &a = *find(first), &b = *find(second);
  if (place != Place::kActive && *until(a) != *until(b)) return *until(a) < *until(b);
  if (place == Place::kActive || (place == Place::kBackoff && options_.pop_from_backoff)) {
    const int x = world_.pods.at(a.id).priority, y = world_.pods.at(b.id).priority;
    if (x != y) return x > y;
    if (a.queued_at != b.queued_at) return a.queued_at < b.queued_at;
  }
  return !options_.equal_times && a.number < b.number;
}

PlainHeap::Before PlainQueue::before_in(Place place) const {
  return [this, place](model::PodId a, model::PodId b) { return goes_before(place, a, b); };
}

std::vector<model::PodId> PlainQueue::list(Place place) const {
  std::vector<model::PodId> ids;
  if (const PlainHeap* all = const_cast<PlainQueue*>(this)->heap(place)) {
    for (PlainHeap left = *all; !left.pods().empty();) {
      ids.push_back(left.pods().front());
      left.remove(ids.back(), before_in(place));
    }
    return ids;
  }
  for (const PlainPod& pod : pods_)
    if (pod.place == place) ids.push_back(pod.id);
  std::sort(ids.begin(), ids.end());
  return ids;
}

// Pods that wait, in the order of their queue time.
std::vector<model::PodId> PlainQueue::waiting() const {
  std::map<uint64_t, model::PodId> by_number;
  for (const PlainPod& pod : pods_)
    if (waits(pod)) by_number[pod.number] = pod.id;
  std::vector<model::PodId> ids;
  ids.reserve(by_number.size());
  for (const auto& [number, id] : by_number) ids.push_back(id);
  return ids;
}

void PlainQueue::pass_gate(PlainPod& pod) {
  pod.gate = world_.pods.at(pod.id).gate;
  if (pod.gate != kNobody) pod.refusers.insert(pod.gate);
}

void PlainQueue::to_active(PlainPod& pod, bool ask_gate) {
  if (ask_gate) pass_gate(pod);
  move(pod, pod.gate != kNobody ? Place::kGated : Place::kActive);
}

void PlainQueue::to_backoff(PlainPod& pod) {
  if (options_.pop_from_backoff) {
    pass_gate(pod);
    if (pod.gate != kNobody) return move(pod, Place::kGated);
  }
  move(pod, pod.refusers.empty() ? Place::kErrorBackoff : Place::kBackoff);
}

void PlainQueue::requeue(PlainPod& pod, Worth worth, Time now) {
  if (worth == kSkip) {
    move(pod, Place::kUnschedulable);
  } else if (worth == kAfterBackoff && backing_off(pod, now)) {
    to_backoff(pod);
  } else {
    to_active(pod, true);
  }
}

void PlainQueue::add(ProfileId profile, model::PodId id, Time now) {
  PlainPod& pod = pods_.emplace_back();
  pod.id = id;
  pod.profile = profile;
  pod.queued_at = now;
  pod.number = ++numbers_;
  to_active(pod, true);
}

void PlainQueue::update(ProfileId profile, model::PodId id, const std::vector<QueueEvent>& events,
                        Time now) {
  PlainPod* pod = find(id);
  if (pod == nullptr) return add(profile, id, now);
  if (pod->place == Place::kInFlight)
    for (const QueueEvent& event : events) events_.push_back({event, false, {}});
  if (PlainHeap* at = heap(pod->place)) at->fix(id, before_in(pod->place));
  if (!waits(*pod)) return;
  for (const QueueEvent& event : events) {
    const Worth found = worth(*pod, {event, false, {}});
    if (found == kSkip) continue;
    requeue(*pod, found, now);
    if (!waits(*pod)) return;
  }
}

std::optional<model::PodId> PlainQueue::pop() {
  const PlainHeap& from =
      active_.pods().empty() && options_.pop_from_backoff ? backing_off_ : active_;
  if (from.pods().empty()) return std::nullopt;
  PlainPod* pod = find(from.pods().front());
  move(*pod, Place::kInFlight);
  ++pod->attempts;
  pod->refusers.clear();
  pod->pending.clear();
  pod->gate = kNobody;
  pod->popped_at = events_.size();
  return pod->id;
}

void PlainQueue::come_back(model::PodId id, const std::set<RefuserId>& refusers,
                           const std::set<RefuserId>& pending, Time now) {
  PlainPod& pod = *find(id);
  pod.refusers = refusers;
  pod.pending = pending;
  if (refusers.empty()) {
    ++pod.errors;
  } else {
    ++pod.refusals;
    pod.errors = 0;
  }
  pod.queued_at = now;
  pod.number = ++numbers_;
  requeue(pod, worth_since_popped(pod), now);
}

void PlainQueue::move_all(const QueueEvent& event, Time now,
                          const SchedulingQueue::PodFilter& filter) {
  if (!wanted(event)) return;
  for (const model::PodId id : waiting()) {
    if (filter && !filter(id)) continue;
    PlainPod& pod = *find(id);
    if (pod.gate != kNobody && !gate_wants(pod, event)) continue;
    const Worth found = worth(pod, {event, false, {}});
    if (found != kSkip) requeue(pod, found, now);
  }
  events_.push_back({event, false, {}});
}

void PlainQueue::activate(model::PodId id, Time) {
  PlainPod* pod = find(id);
  if (pod == nullptr) return;
  if (pod->place == Place::kInFlight) events_.push_back({{}, true, id});
  if (waits(*pod)) return to_active(*pod, true);
  if (pod->place == Place::kBackoff || pod->place == Place::kErrorBackoff)
    to_active(*pod, options_.activation_asks || !options_.pop_from_backoff);
}

void PlainQueue::flush_backoff(Time now) {
  std::vector<model::PodId> over;
  for (const Place place : {Place::kBackoff, Place::kErrorBackoff}) {
    PlainHeap& from = *heap(place);
    while (!from.pods().empty() && !backing_off(*find(from.pods().front()), now)) {
      over.push_back(from.pods().front());
      move(*find(over.back()), Place::kNone);
    }
  }
  for (const model::PodId id : over) to_active(*find(id), !options_.pop_from_backoff);
}

void PlainQueue::flush_unschedulable(Time now) {
  bool any = false;
  for (const model::PodId id : waiting()) {
    PlainPod& pod = *find(id);
    if (now - pod.queued_at <= options_.max_unschedulable) continue;
    any = true;
    if (pod.place == Place::kUnschedulable) requeue(pod, kAfterBackoff, now);
  }
  if (any) events_.push_back({{}, true, {}});
}

}  // namespace berth::queue
