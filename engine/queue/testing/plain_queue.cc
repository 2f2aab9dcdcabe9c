#include "engine/queue/testing/plain_queue.h"

#include <algorithm>
#include <cmath>

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

void PlainQueue::remove(model::PodId id) {
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

bool PlainQueue::leaves_before(const PlainPod& a, const PlainPod& b) const {
  if (a.place != Place::kActive && *until(a) != *until(b)) return *until(a) < *until(b);
  if (a.place == Place::kActive || (a.place == Place::kBackoff && options_.pop_from_backoff)) {
    const int x = world_.pods.at(a.id).priority, y = world_.pods.at(b.id).priority;
    if (x != y) return x > y;
  }
  return a.number < b.number;
}

PlainPod* PlainQueue::first(Place place) {
  PlainPod* first = nullptr;
  for (PlainPod& pod : pods_)
    if (pod.place == place && (first == nullptr || leaves_before(pod, *first))) first = &pod;
  return first;
}

std::vector<model::PodId> PlainQueue::list(Place place) const {
  std::vector<const PlainPod*> found;
  for (const PlainPod& pod : pods_)
    if (pod.place == place) found.push_back(&pod);
  const bool ordered =
      place == Place::kActive || place == Place::kBackoff || place == Place::kErrorBackoff;
  std::sort(found.begin(), found.end(), [&](const PlainPod* a, const PlainPod* b) {
    return ordered ? leaves_before(*a, *b) : a->id < b->id;
  });
  std::vector<model::PodId> ids;
  ids.reserve(found.size());
  for (const PlainPod* pod : found) ids.push_back(pod->id);
  return ids;
}

void PlainQueue::pass_gate(PlainPod& pod) {
  pod.gate = world_.pods.at(pod.id).gate;
  if (pod.gate != kNobody) pod.refusers.insert(pod.gate);
}

void PlainQueue::to_active(PlainPod& pod, bool ask_gate) {
  if (ask_gate) pass_gate(pod);
  pod.place = pod.gate != kNobody ? Place::kGated : Place::kActive;
}

void PlainQueue::to_backoff(PlainPod& pod) {
  if (options_.pop_from_backoff) {
    pass_gate(pod);
    if (pod.gate != kNobody) {
      pod.place = Place::kGated;
      return;
    }
  }
  pod.place = pod.refusers.empty() ? Place::kErrorBackoff : Place::kBackoff;
}

void PlainQueue::requeue(PlainPod& pod, Worth worth, Time now) {
  if (worth == kSkip) {
    pod.place = Place::kUnschedulable;
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
  if (!waits(*pod)) return;
  for (const QueueEvent& event : events) {
    const Worth found = worth(*pod, {event, false, {}});
    if (found == kSkip) continue;
    requeue(*pod, found, now);
    if (!waits(*pod)) return;
  }
}

std::optional<model::PodId> PlainQueue::pop() {
  PlainPod* pod = first(Place::kActive);
  if (pod == nullptr && options_.pop_from_backoff) pod = first(Place::kBackoff);
  if (pod == nullptr) return std::nullopt;
  pod->place = Place::kInFlight;
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
  for (PlainPod& pod : pods_) {
    if (!waits(pod) || (filter && !filter(pod.id))) continue;
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
  if (waits(*pod) || pod->place == Place::kBackoff || pod->place == Place::kErrorBackoff)
    to_active(*pod, true);
}

void PlainQueue::flush_backoff(Time now) {
  for (PlainPod& pod : pods_) {
    const bool backs_off = pod.place == Place::kBackoff || pod.place == Place::kErrorBackoff;
    if (backs_off && !backing_off(pod, now)) to_active(pod, !options_.pop_from_backoff);
  }
}

void PlainQueue::flush_unschedulable(Time now) {
  bool any = false;
  for (PlainPod& pod : pods_) {
    if (!waits(pod) || now - pod.queued_at <= options_.max_unschedulable) continue;
    any = true;
    if (pod.place == Place::kUnschedulable) requeue(pod, kAfterBackoff, now);
  }
  if (any) events_.push_back({{}, true, {}});
}

}  // namespace berth::queue
