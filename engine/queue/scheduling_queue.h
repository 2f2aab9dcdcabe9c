#pragma once

// Pods from their arrival until they are bound or gone: which of them are tried next, which wait
// for what.
//
//             gate     +--> gated --------- event or update helps ---------+
//   add ------------>--+                                                   |  gate
//                      +--> active <---- backoff over ---- backoff, <------+
//                             |  ^                         error backoff   |
//                        pop  |  +---- no backoff left ------------------+ |
//                             v                                          | |
//                         in flight --- add_unschedulable --> unschedulable
//                             |     \-- add_error --> error backoff
//                             +--- done
//
// Active pods leave in the order of QueueSort. Backing-off pods are ordered by the second in which
// their backoff ends and, within it, by QueueSort; pods that back off after an error by the end of
// their backoff alone. Pods that are equal by that leave in the order in which they entered, unless
// equal_times says otherwise.
//
// Pods that move together (an event, a flush) are pushed one after the other: from backoff in the
// order in which they leave it, those after an error last; from waiting in the order of their queue
// time. kube-scheduler walks a map of waiting pods, so it leaves the last to chance; it matters
// only among pods of equal times.
//
// Unschedulable pods are kept in classes: one group, refused by the same plugins. An event asks
// each interested refuser once per class, so its cost follows the number of classes and of pods
// that move, not the number of pods that wait.
//
// An event asks at once about pods in flight, and the queue keeps the refusers that the event may
// help; kube-scheduler keeps the events and asks when the pod comes back. The outcome differs only
// if the answer does in between.
//
// Times never go backwards. One thread. Hooks outlive the queue; if one throws, the queue is of no
// use any more.

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "engine/model/pods/pod_id.h"
#include "engine/queue/move_counts.h"
#include "engine/queue/move_watch.h"
#include "engine/queue/parts/backoff_times.h"
#include "engine/queue/parts/entry_clock.h"
#include "engine/queue/parts/helped_classes.h"
#include "engine/queue/parts/hint_question.h"
#include "engine/queue/parts/interests.h"
#include "engine/queue/parts/moving_pods.h"
#include "engine/queue/place.h"
#include "engine/queue/places/pod_places.h"
#include "engine/queue/queue_event.h"
#include "engine/queue/queue_hooks.h"

namespace berth::queue {

struct QueueOptions {
  // From a configuration (config/config.h), which has kube-scheduler's defaults.
  Time initial_backoff{};
  Time max_backoff{};  // 0: no backoff
  // A pod that is unschedulable for longer is tried again.
  Time max_unschedulable = std::chrono::minutes(5);
  // Pods that back off after a refusal are popped when no pod is active, and backoff ends with
  // whole seconds.
  bool pop_from_backoff = true;
  // With pop_from_backoff: whether `activate` asks PreEnqueue about a pod that backs off, which it
  // was asked when it began to.
  bool activation_asks = true;
  // True if pods that enter at one time are equal. Off, each entry counts as a time of its own, in
  // the order of entry: kube-scheduler reads a clock for each pod, and no two readings are equal.
  // On, for a recorded clock that stands still while pods enter: QueueSort sees equal times, and
  // equal pods leave in the order that kube-scheduler's heaps give them (places/sift_heap.h), at
  // O(log n) a pod instead of O(1).
  bool equal_times = false;
  // Of the keys of QueueSort, at least 1. Pods with keys of up to 16 bytes leave at O(1) a pod,
  // with longer ones at O(log n).
  size_t key_bytes = sizeof(SortKey);
};

class SchedulingQueue {
 public:
  using PodFilter = std::function<bool(model::PodId)>;
  using Question = std::function<void(RefuserId, std::span<const model::PodId>)>;

  SchedulingQueue(QueueHooks& hooks, QueueOptions options);

  // Registers events for a refuser; a refuser may have several interests. Precondition: no pod is
  // in the queue.
  void set_interest(const Interest& interest);

  // Pods that are new to the queue. They become active unless they are gated. Precondition: earlier
  // pods of the same rows are forgotten (`done`, `remove`).
  void add(ProfileId profile, std::span<const model::PodId> pods, Time now);
  // The pod's object changed, as `events` say: at least one, of pending pods. A pod that is active
  // or backs off keeps its queue and its queue time; one that waits or is in flight is treated as
  // for any event; one that is past refusal stays as it is; an unknown one is added.
  void update(ProfileId profile, model::PodId pod, std::span<const QueueEvent> events, Time now);
  // Forgets the pod wherever it is; false if it is unknown.
  bool remove(model::PodId pod);

  // The next pod, which is in flight from now on and has one attempt more.
  std::optional<model::PodId> pop();
  // Appends up to so many active pods that are likely to be popped next.
  void next_active(size_t most, std::vector<model::PodId>& pods) const;
  // True if `pop` would return a pod.
  bool can_pop() const;
  // The pod in flight was refused. It waits until an event helps one of its refusers, unless one
  // did since it was popped. Without refusers it is an error.
  void add_unschedulable(model::PodId pod, const Refusers& refusers, Time now);
  // The attempt of the pod in flight failed, and no plugin refused it.
  void add_error(model::PodId pod, Time now);
  // Events do not count for the pod in flight any more: if it is refused, it backs off. Nothing
  // happens if it was called before or the pod is unknown.
  void refusal_over(model::PodId pod);
  // Forgets a pod in flight. Nothing happens if the pod is not in flight: it was added again.
  void done(model::PodId pod);

  // Moves the waiting pods that the event may help. `filter` selects among the waiting pods, not
  // among those in flight.
  void move_all(const QueueEvent& event, Time now, const PodFilter& filter = nullptr);
  // The same for an event that this refuser alone wants, and that helps each pod that it refused:
  // it says so by itself. Pods that it gates are asked again.
  void wake(RefuserId refuser, ProfileId profile, Time now);
  // True if move_all(event) would look at any pod.
  bool concerns(const QueueEvent& event) const {
    // Mostly nobody waits, and the pod that was in flight is past refusal.
    return !(places_.flights().empty() && size(Place::kUnschedulable) == 0 &&
             size(Place::kGated) == 0) &&
           concerns_some(event);
  }
  // Calls visit(refuser, pods) for all that move_all(event) might ask now, pods in flight included:
  // one pod of each group.
  void for_each_question(const QueueEvent& event, const Question& visit) const;
  // Waiting and backing-off pods become active unless they are gated. A pod in flight backs off
  // when it comes back, whatever refuses it.
  void activate(std::span<const model::PodId> pods, Time now);

  // Pods whose backoff has ended become active, and pods that are unschedulable for too long are
  // tried again. To be called where the clock stands at multiples of these. Source: kube-scheduler
  // backend/queue scheduling_queue.go Run.
  static constexpr Time kFlushBackoffEvery = std::chrono::seconds(1);
  static constexpr Time kFlushUnschedulableEvery = std::chrono::seconds(30);
  void flush_backoff(Time now);
  void flush_unschedulable(Time now);

  Place place(model::PodId pod) const;
  size_t size(Place place) const { return places_.size(place); }
  // The number of times that the pod was popped. Precondition of this and the following: place(pod)
  // != kNone.
  uint32_t attempts(model::PodId pod) const;
  // Refusers of the latest attempt and of PreEnqueue since; none for a pod in flight.
  const Refusers& refusers(model::PodId pod) const;
  RefuserId gated_by(model::PodId pod) const;                 // kNobody: not gated
  Time queued_at(model::PodId pod) const;                     // see QueueHooks::queued
  std::optional<Time> backoff_until(model::PodId pod) const;  // none: it needs no backoff
  std::optional<Time> first_active_at(model::PodId pod) const;
  // Since its last attempt a flush found that it waits too long.
  bool timed_out(model::PodId pod) const { return known(pod).timed_out; }

  // All pods there; kActive, kBackoff and kErrorBackoff in the order in which they leave.
  std::vector<model::PodId> list(Place place) const { return places_.list(place); }
  const std::vector<MoveCount>& moves() const { return moves_.all(); }
  // From now on; null: nobody watches. The watch outlives the last operation.
  void watch_moves(MoveWatch* watch) { watch_ = watch; }

  using Fault = PodPlaces::Fault;
  // See PodPlaces. Reads all rows and entries.
  std::optional<Fault> fault() const { return places_.fault(); }

 private:
  QueuedPod& known(model::PodId pod);
  const QueuedPod& known(model::PodId pod) const;
  // Precondition: its attempt has not come back.
  QueuedPod& in_flight(model::PodId pod);
  std::optional<Time> until(const QueuedPod& pod) const;
  bool backoff_is_over(const QueuedPod& pod, Time now) const {
    return (pod.refusals == 0 && pod.errors == 0) || backoff_.over(until(pod), now);
  }
  model::PodId fly(uint32_t index);
  void renew_key(uint32_t index);
  void wait(uint32_t index);

  // The way of pods to active, backoff or gated; requeue.cc.
  void add_new(ProfileId profile, std::span<const model::PodId> pods, const Move& move, Time now);
  void come_back(QueuedPod& pod, model::PodId id, const Refusers& refusers, Time now);
  void requeue(const Move& move, Time now);
  bool enter(const MovingPod& moving, const Move& move, Time now);
  void tell(const MovingPod& moving, const Move& move, Time now);

  // Events; events.cc.
  bool concerns_some(const QueueEvent& event) const;
  template <typename Visit>
  void for_each_class(const QueueEvent& event, RefuserId refuser, Visit&& visit) const;
  template <typename Visit>
  void for_each_flight(ProfileId profile, Visit&& visit) const;
  void judge_classes(const QueueEvent& event, const Interests::Asked& asked);
  void judge_flights(const QueueEvent& event, const Interests::Asked& asked);
  void help_refused(RefuserId refuser);
  void collect_helped(const PodFilter& filter);
  Strategy judge(const QueueEvent& event, uint32_t index);
  Strategy judge_returning(const QueuedPod& pod, const Refusers& refusers) const;
  void update_waiting(uint32_t index, std::span<const QueueEvent> events, Time now);

  QueueHooks& hooks_;
  QueueOptions options_;
  BackoffTimes backoff_;
  Interests interests_;
  PodPlaces places_;
  EntryClock clock_;
  MoveCounts moves_;
  MoveWatch* watch_ = nullptr;

  // Of the current operation.
  MovingPods moving_;
  HintQuestion question_;
  HelpedClasses helped_;
};

}  // namespace berth::queue
