// Events: whom they concern, what refusers say, and which pods move.

#include <algorithm>

#include "engine/queue/scheduling_queue.h"

namespace berth::queue {

// Classes of pods that the refuser refused. Of gated pods only those whose gate wants the event:
// the gate is asked again before anything else, so other refusers cannot free them.
template <typename Visit>
void SchedulingQueue::for_each_class(const QueueEvent& event, RefuserId refuser,
                                     Visit&& visit) const {
  const RefusedPods& refused = places_.refused();
  for (const RefusalId id : refused.of(refuser)) {
    const Refusal& refusal = refused[id];
    if (refusal.classes.empty()) continue;
    if (refusal.gated_by != kNobody && !interests_.wants(refusal.gated_by, event)) continue;
    for (const ClassId member : refusal.classes) visit(refusal, member);
  }
}

// Pods in flight of that profile, by their slots.
template <typename Visit>
void SchedulingQueue::for_each_flight(ProfileId profile, Visit&& visit) const {
  const Flights& flights = places_.flights();
  for (uint32_t slot = 0; slot < flights.size(); ++slot)
    if (places_[flights[slot].index].profile == profile) visit(slot, flights[slot]);
}

void SchedulingQueue::judge_classes(const QueueEvent& event, const Interests::Asked& asked) {
  const RefusedPods& refused = places_.refused();
  const auto strategy = [&](const Refusal& refusal) {
    return refusal.refusers.pending(asked.refuser) ? Strategy::kImmediately
                                                   : Strategy::kAfterBackoff;
  };
  helped_.cover(refused.classes());
  question_.begin();
  for_each_class(event, asked.refuser, [&](const Refusal& refusal, ClassId member) {
    if (helped_.of(member) < strategy(refusal))
      question_.add(member, places_.id(refused.head(member)));
  });
  question_.ask(event, asked, [&](ClassId member) {
    helped_.help(member, strategy(refused[places_[refused.head(member)].refusal]));
  });
}

void SchedulingQueue::judge_flights(const QueueEvent& event, const Interests::Asked& asked) {
  question_.begin();
  for_each_flight(asked.profile, [&](uint32_t slot, const Flight& flight) {
    const auto& helped = flight.helped;
    if (std::find(helped.begin(), helped.end(), asked.refuser) == helped.end())
      question_.add(slot, places_.id(flight.index));
  });
  question_.ask(event, asked, [&](uint32_t slot) { places_.help_flight(slot, asked.refuser); });
}

// Takes the pods of helped classes out, in the order of their queue time.
void SchedulingQueue::collect_helped(const PodFilter& filter) {
  helped_.take([&](ClassId member, Strategy strategy) {
    const uint32_t head = places_.refused().head(member);
    for (uint32_t at = head; at != kNoIndex; at = places_[at].next)
      if (!filter || filter(places_.id(at)))
        moving_.add(at, strategy == Strategy::kImmediately, true);
  });
  moving_.sort();
  for (const MovingPod& moving : moving_) places_.leave(moving.index);
}

void SchedulingQueue::move_all(const QueueEvent& event, Time now, const PodFilter& filter) {
  for (const Interests::Asked& asked : interests_.of(event)) {
    judge_classes(event, asked);
    judge_flights(event, asked);
  }
  if (helped_.empty()) return;
  collect_helped(filter);
  requeue({MoveCause::kEvent, event.kind, event.action}, now);
}

// Of gated pods only those that it gates, as in for_each_class.
void SchedulingQueue::help_refused(RefuserId refuser) {
  const RefusedPods& refused = places_.refused();
  helped_.cover(refused.classes());
  for (const RefusalId id : refused.of(refuser)) {
    const Refusal& refusal = refused[id];
    if (refusal.gated_by != kNobody && refusal.gated_by != refuser) continue;
    const bool pending = refusal.refusers.pending(refuser);
    for (const ClassId member : refusal.classes)
      helped_.help(member, pending ? Strategy::kImmediately : Strategy::kAfterBackoff);
  }
}

void SchedulingQueue::wake(RefuserId refuser, ProfileId profile, Time now) {
  help_refused(refuser);
  for_each_flight(profile, [&](uint32_t slot, const Flight& flight) {
    if (std::ranges::find(flight.helped, refuser) == flight.helped.end())
      places_.help_flight(slot, refuser);
  });
  if (helped_.empty()) return;
  collect_helped(nullptr);
  requeue({MoveCause::kPluginWoke}, now);
}

bool SchedulingQueue::concerns_some(const QueueEvent& event) const {
  for (const Interests::Asked& asked : interests_.of(event)) {
    const Flights& flights = places_.flights();
    for (size_t slot = 0; slot < flights.size(); ++slot)
      if (places_[flights[slot].index].profile == asked.profile) return true;
    bool any = false;
    for_each_class(event, asked.refuser, [&](const Refusal&, ClassId) { any = true; });
    if (any) return true;
  }
  return false;
}

void SchedulingQueue::for_each_question(const QueueEvent& event, const Question& visit) const {
  std::vector<model::PodId> pods;
  for (const Interests::Asked& asked : interests_.of(event)) {
    if (!asked.hinted) continue;
    pods.clear();
    for_each_class(event, asked.refuser, [&](const Refusal&, ClassId member) {
      pods.push_back(places_.id(places_.refused().head(member)));
    });
    for_each_flight(asked.profile, [&](uint32_t, const Flight& flight) {
      pods.push_back(places_.id(flight.index));
    });
    if (!pods.empty()) visit(asked.refuser, pods);
  }
}

// Decides where an event of the pod itself moves a waiting pod.
Strategy SchedulingQueue::judge(const QueueEvent& event, uint32_t index) {
  const Refusers& refusers = places_.refused()[places_[index].refusal].refusers;
  Strategy strategy = Strategy::kStay;
  for (const Interests::Asked& asked : interests_.of(event)) {
    if (!refusers.contains(asked.refuser)) continue;
    bool helps = false;
    question_.begin();
    question_.add(index, places_.id(index));
    question_.ask(event, asked, [&](uint32_t) { helps = true; });
    if (!helps) continue;
    if (refusers.pending(asked.refuser)) return Strategy::kImmediately;
    strategy = Strategy::kAfterBackoff;
  }
  return strategy;
}

// Decides where a refused pod in flight goes, by the events since it was popped.
Strategy SchedulingQueue::judge_returning(const QueuedPod& pod, const Refusers& refusers) const {
  if (pod.place == Place::kPastRefusal) return Strategy::kAfterBackoff;
  const Flight& flight = places_.flights()[pod.slot];
  Strategy strategy = flight.forced ? Strategy::kAfterBackoff : Strategy::kStay;
  for (const RefuserId helped : flight.helped) {
    if (refusers.pending(helped)) return Strategy::kImmediately;
    if (refusers.contains(helped)) strategy = Strategy::kAfterBackoff;
  }
  return strategy;
}

void SchedulingQueue::update(ProfileId profile, model::PodId id, std::span<const QueueEvent> events,
                             Time now) {
  switch (place(id)) {
    case Place::kNone:
      return add_new(profile, {&id, 1}, {MoveCause::kPodUpdate}, now);
    case Place::kActive:
    case Place::kBackoff:
    case Place::kErrorBackoff:
      return renew_key(id.index);
    case Place::kUnschedulable:
    case Place::kGated:
      return update_waiting(id.index, events, now);
    case Place::kInFlight:
      for (const QueueEvent& event : events)
        for (const Interests::Asked& asked : interests_.of(event)) judge_flights(event, asked);
      return;
    case Place::kPastRefusal:
      return;
  }
}

void SchedulingQueue::renew_key(uint32_t index) {
  const SortKey key = moving_.key(index);
  const QueuedPod& pod = places_[index];
  if (pod.place == Place::kActive) return places_.renew_active(index, key);
  places_.renew_backoff(index, *until(pod), key);
}

// The pod may belong to another group now. kube-scheduler stops at the first event after which the
// pod may be popped; so does this at the first after which it does not wait any more.
void SchedulingQueue::update_waiting(uint32_t index, std::span<const QueueEvent> events, Time now) {
  places_.regroup(index, hooks_.group(places_.id(index)));
  for (const QueueEvent& event : events) {
    const Strategy strategy = judge(event, index);
    if (strategy == Strategy::kStay) continue;
    moving_.take(index, strategy == Strategy::kImmediately);
    requeue({MoveCause::kPodUpdate, event.kind, event.action}, now);
    if (places_[index].place != Place::kGated) return;
  }
}

}  // namespace berth::queue
