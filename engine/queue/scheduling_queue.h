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

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/model/pods/pod_id.h"
#include "engine/queue/move_counts.h"
#include "engine/queue/move_watch.h"
#include "engine/queue/parts/backoff_times.h"
#include "engine/queue/parts/entries.h"
#include "engine/queue/parts/entry_queue.h"
#include "engine/queue/parts/flights.h"
#include "engine/queue/parts/interests.h"
#include "engine/queue/parts/pod_order.h"
#include "engine/queue/parts/queued_pods.h"
#include "engine/queue/parts/refused_pods.h"
#include "engine/queue/place.h"
#include "engine/queue/queue_event.h"
#include "engine/queue/queue_hooks.h"

namespace berth::queue {

struct QueueOptions {
  Time initial_backoff = std::chrono::seconds(1);
  Time max_backoff = std::chrono::seconds(10);  // 0: no backoff
  // A pod that is unschedulable for longer is tried again.
  Time max_unschedulable = std::chrono::minutes(5);
  // Pods that back off after a refusal are popped when no pod is active, and backoff ends with
  // whole seconds.
  bool pop_from_backoff = true;
  // Whether pods that enter at one time are equal. Off, each entry counts as a time of its own, in
  // the order of entry: kube-scheduler reads a clock for each pod, and no two readings are equal.
  // On, for a recorded clock that stands still while pods enter: QueueSort sees equal times, and
  // equal pods leave in the order that kube-scheduler's heaps give them (parts/sift_heap.h), at
  // O(log n) a pod instead of O(1).
  bool equal_times = false;
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
  // True if move_all(event) would look at any pod.
  bool concerns(const QueueEvent& event) const {
    // Mostly nobody waits, and the pod that was in flight is past refusal.
    return !(flights_.empty() && size(Place::kUnschedulable) == 0 && size(Place::kGated) == 0) &&
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
  size_t size(Place place) const { return sizes_[static_cast<size_t>(place)]; }
  // How often the pod was popped. Precondition of this and the following: place(pod) != kNone.
  uint32_t attempts(model::PodId pod) const;
  // Refusers of the latest attempt and of PreEnqueue since; none for a pod in flight.
  const Refusers& refusers(model::PodId pod) const;
  RefuserId gated_by(model::PodId pod) const;                 // kNobody: not gated
  Time queued_at(model::PodId pod) const;                     // see QueueHooks::queued
  std::optional<Time> backoff_until(model::PodId pod) const;  // none: it needs no backoff
  std::optional<Time> first_active_at(model::PodId pod) const;

  // All pods there; kActive, kBackoff and kErrorBackoff in the order in which they leave.
  std::vector<model::PodId> list(Place place) const;
  const std::vector<MoveCount>& moves() const { return moves_.all(); }
  // From now on; null: nobody watches. The watch outlives the last operation.
  void watch_moves(MoveWatch* watch) { watch_ = watch; }

  // A row, an order or a class that contradicts another. `pod` may be empty.
  struct Fault {
    model::PodId pod;
    std::string what;
  };
  // The first one; nothing: all pods are in one place each, and the sizes are right. Reads all
  // rows and entries.
  std::optional<Fault> fault() const;

 private:
  // How a pod goes back to the queues. Ordered: the greater of two answers counts.
  enum class Strategy : uint8_t { kStay, kAfterBackoff, kImmediately };
  struct Moving {
    uint64_t number = 0;
    uint32_t index = 0;
    bool immediately = false;
    bool waited = false;  // it was unschedulable or gated
    Place to = Place::kNone;
    SortKey key{};  // if the place needs one
  };

  QueuedPod& known(model::PodId pod);
  const QueuedPod& known(model::PodId pod) const;
  auto valid() const {
    return [this](const auto& entry) {
      const Ticket ticket = ticket_of(entry);
      return pods_[ticket.index].version == ticket.version;
    };
  }
  std::optional<Time> until(const QueuedPod& pod) const;
  bool backoff_is_over(const QueuedPod& pod, Time now) const {
    return (pod.refusals == 0 && pod.errors == 0) || backoff_.over(until(pod), now);
  }

  // Changes of one pod's place, which put() asserts to be legal (place.h); scheduling_queue.cc.
  void put(QueuedPod& pod, Place place);
  void leave(uint32_t index);
  void wait(uint32_t index, Place place);
  ActiveEntry active_entry(uint32_t index, const SortKey& key) const;
  BackoffEntry backoff_entry(uint32_t index, const SortKey& key) const;
  void push_active(uint32_t index, const SortKey& key);
  void push_backoff(uint32_t index, const SortKey& key);
  void enter_queue_time(QueuedPod& pod, uint32_t index, Time now);
  model::PodId fly(uint32_t index);
  void renew_key(uint32_t index);

  // The way of pods to active, backoff or gated; requeue.cc.
  void add_new(ProfileId profile, std::span<const model::PodId> pods, const Move& move, Time now);
  void begin_move(uint32_t index, bool immediately);
  void begin_move(const QueuedPod& pod, uint32_t index, bool immediately, bool waited);
  void requeue(const Move& move, Time now);
  void ask_hooks(const Move& move);
  void ask_gates(ProfileId profile, std::span<Moving> pods, const Move& move);
  void ask_keys(ProfileId profile, std::span<Moving> pods);
  bool enter(const Moving& moving, const Move& move, Time now);
  void tell(const Moving& moving, const Move& move, Time now);
  bool needs_key(const Moving& moving) const;

  // Contradictions; queue_fault.cc.
  template <typename Entries>
  std::optional<Fault> order_fault(const Entries& entries, Place place) const;
  std::string row_fault(uint32_t index) const;

  // Events; events.cc.
  bool concerns_some(const QueueEvent& event) const;
  template <typename Visit>
  void for_each_class(const QueueEvent& event, RefuserId refuser, Visit&& visit) const;
  void judge_classes(const QueueEvent& event, const Interests::Asked& asked);
  void judge_flights(const QueueEvent& event, const Interests::Asked& asked);
  void collect_helped(const PodFilter& filter);
  std::span<const uint8_t> hints(const QueueEvent& event, const Interests::Asked& asked);
  Strategy judge(const QueueEvent& event, uint32_t index);
  Strategy judge_returning(const QueuedPod& pod, const Refusers& refusers) const;
  void update_waiting(uint32_t index, std::span<const QueueEvent> events, Time now);

  QueueHooks& hooks_;
  QueueOptions options_;
  BackoffTimes backoff_;
  Interests interests_;
  QueuedPods pods_;
  RefusedPods refused_;
  Flights flights_;
  PodOrder<ActiveEntry> active_;
  PodOrder<BackoffEntry> backing_off_;
  PodOrder<BackoffEntry> failed_;  // error backoff
  EntryQueue<WaitEntry> waiting_;  // unschedulable pods
  EntryQueue<WaitEntry> gated_;
  std::array<size_t, kPlaces> sizes_{};
  MoveCounts moves_;
  MoveWatch* watch_ = nullptr;
  uint64_t numbers_ = 0;  // entries so far
  uint64_t moment_ = 0;   // of the latest entry, see QueueHooks::queued
  Time moment_at_{};

  // Buffers of the current operation.
  std::vector<Moving> moving_;
  std::vector<model::PodId> ids_;
  std::vector<RefuserId> gates_;
  std::vector<SortKey> keys_;
  std::vector<ProfileId> profiles_;  // of moving_
  std::vector<uint8_t> answers_;
  std::vector<uint32_t> asked_;     // classes or positions in flight, parallel to ids_
  std::vector<Strategy> verdicts_;  // by class; kStay between operations
  std::vector<ClassId> helped_;     // classes that have another verdict
};

}  // namespace berth::queue
