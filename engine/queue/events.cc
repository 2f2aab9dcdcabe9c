// Events: whom they concern, what refusers say, and which pods move.

#include <algorithm>

#include "engine/queue/scheduling_queue.h"

namespace berth::queue {

// Classes of pods that the refuser refused. Of gated pods only those whose gate wants the event:
// the gate is asked again before anything else, so other refusers cannot free them.
template <typename Visit>
void SchedulingQueue::for_each_class(const QueueEvent& event, RefuserId refuser,
                                     Visit&& visit) const {
  for (const RefusalId id : refused_.of(refuser)) {
    const Refusal& refusal = refused_[id];
    if (refusal.classes.empty()) continue;
    if (refusal.gated_by != kNobody && !interests_.wants(refusal.gated_by, event)) continue;
    for (const ClassId member : refusal.classes) visit(refusal, member);
  }
}

// The answers for ids_.
std::span<const uint8_t> SchedulingQueue::hints(const QueueEvent& event,
                                                const Interests::Asked& asked) {
  answers_.assign(ids_.size(), asked.hinted ? 0 : 1);
  if (asked.hinted && !ids_.empty()) hooks_.hint(event, asked.refuser, ids_, answers_);
  return answers_;
}

void SchedulingQueue::judge_classes(const QueueEvent& event, const Interests::Asked& asked) {
  ids_.clear();
  asked_.clear();
  verdicts_.resize(refused_.classes(), Strategy::kStay);
  const auto helped = [&](const Refusal& refusal) {
    return refusal.refusers.pending(asked.refuser) ? Strategy::kImmediately
                                                   : Strategy::kAfterBackoff;
  };
  for_each_class(event, asked.refuser, [&](const Refusal& refusal, ClassId member) {
    if (verdicts_[member] >= helped(refusal)) return;
    asked_.push_back(member);
    ids_.push_back(pods_.id(refused_.head(member)));
  });
  const std::span<const uint8_t> answers = hints(event, asked);
  for (size_t i = 0; i < asked_.size(); ++i) {
    if (answers[i] == 0) continue;
    const ClassId member = asked_[i];
    if (verdicts_[member] == Strategy::kStay) helped_.push_back(member);
    verdicts_[member] = helped(refused_[pods_[refused_.head(member)].refusal]);
  }
}

void SchedulingQueue::judge_flights(const QueueEvent& event, const Interests::Asked& asked) {
  ids_.clear();
  asked_.clear();
  for (uint32_t slot = 0; slot < flights_.size(); ++slot) {
    const Flight& flight = flights_[slot];
    if (pods_[flight.index].profile != asked.profile) continue;
    if (std::find(flight.helped.begin(), flight.helped.end(), asked.refuser) != flight.helped.end())
      continue;
    asked_.push_back(slot);
    ids_.push_back(pods_.id(flight.index));
  }
  const std::span<const uint8_t> answers = hints(event, asked);
  for (size_t i = 0; i < asked_.size(); ++i)
    if (answers[i] != 0) flights_[asked_[i]].helped.push_back(asked.refuser);
}

// Takes the pods of helped classes out, in the order of their queue time.
void SchedulingQueue::collect_helped(const PodFilter& filter) {
  for (const ClassId member : helped_) {
    const bool immediately = verdicts_[member] == Strategy::kImmediately;
    for (uint32_t at = refused_.head(member); at != kNoIndex; at = pods_[at].next)
      if (!filter || filter(pods_.id(at)))
        moving_.push_back({pods_[at].number, at, immediately, true, Place::kNone, {}});
    verdicts_[member] = Strategy::kStay;
  }
  helped_.clear();
  const auto earlier = [](const Moving& a, const Moving& b) { return a.number < b.number; };
  if (!std::is_sorted(moving_.begin(), moving_.end(), earlier))
    std::sort(moving_.begin(), moving_.end(), earlier);
  for (const Moving& moving : moving_) leave(moving.index);
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

bool SchedulingQueue::concerns_some(const QueueEvent& event) const {
  for (const Interests::Asked& asked : interests_.of(event)) {
    for (size_t slot = 0; slot < flights_.size(); ++slot)
      if (pods_[flights_[slot].index].profile == asked.profile) return true;
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
      pods.push_back(pods_.id(refused_.head(member)));
    });
    for (size_t slot = 0; slot < flights_.size(); ++slot)
      if (pods_[flights_[slot].index].profile == asked.profile)
        pods.push_back(pods_.id(flights_[slot].index));
    if (!pods.empty()) visit(asked.refuser, pods);
  }
}

// Decides where an event of the pod itself moves a waiting pod.
SchedulingQueue::Strategy SchedulingQueue::judge(const QueueEvent& event, uint32_t index) {
  const Refusers& refusers = refused_[pods_[index].refusal].refusers;
  Strategy strategy = Strategy::kStay;
  for (const Interests::Asked& asked : interests_.of(event)) {
    if (!refusers.contains(asked.refuser)) continue;
    ids_.assign(1, pods_.id(index));
    if (hints(event, asked)[0] == 0) continue;
    if (refusers.pending(asked.refuser)) return Strategy::kImmediately;
    strategy = Strategy::kAfterBackoff;
  }
  return strategy;
}

// Decides where a refused pod in flight goes, by the events since it was popped.
SchedulingQueue::Strategy SchedulingQueue::judge_returning(const QueuedPod& pod,
                                                           const Refusers& refusers) const {
  if (pod.place == Place::kPastRefusal) return Strategy::kAfterBackoff;
  const Flight& flight = flights_[pod.slot];
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
  const Place place = pods_[index].place;
  const bool active = place == Place::kActive;
  Moving moving{0, index, false, false, active ? place : Place::kBackoff, {}};
  ask_keys(pods_[index].profile, {&moving, 1});
  ++pods_[index].version;
  if (active) return active_.update(active_entry(index, moving.key));
  (place == Place::kErrorBackoff ? failed_ : backing_off_).update(backoff_entry(index, moving.key));
}

// The pod may belong to another group now. kube-scheduler stops at the first event after which the
// pod may be popped; so does this at the first after which it does not wait any more.
void SchedulingQueue::update_waiting(uint32_t index, std::span<const QueueEvent> events, Time now) {
  refused_.erase(pods_, index);
  refused_.insert(pods_, index, hooks_.group(pods_.id(index)));
  for (const QueueEvent& event : events) {
    const Strategy strategy = judge(event, index);
    if (strategy == Strategy::kStay) continue;
    begin_move(index, strategy == Strategy::kImmediately);
    requeue({MoveCause::kPodUpdate, event.kind, event.action}, now);
    if (pods_[index].place != Place::kGated) return;
  }
}

}  // namespace berth::queue
