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
// their backoff alone. Equal pods leave in the order of their queue time (QueueHooks::queued).
// kube-scheduler leaves that order to chance.
//
// Unschedulable pods are kept in classes: one group, refused by the same plugins. An event asks
// each interested refuser once per class, so its cost follows the number of classes and of pods
// that move, not the number of pods that wait.
//
// An event asks at once about pods in flight, and the queue keeps the refusers that the event may
// help; kube-scheduler keeps the events and asks when the pod comes back. The outcome differs only
// if the answer does in between.
//
// Times never go backwards. One thread. Hooks outlive the queue.

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "engine/model/pods/pod_id.h"
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
};

enum class Place : uint8_t {
  kNone,  // unknown to the queue
  kActive,
  kBackoff,
  kErrorBackoff,
  kUnschedulable,
  kGated,
  kInFlight,     // popped; may be refused by a plugin
  kPastRefusal,  // popped; no plugin can refuse it any more
};
inline constexpr size_t kPlaces = 8;

enum class MoveCause : uint8_t {
  kPodAdd,
  kPodUpdate,
  kEvent,
  kAttemptFailed,
  kBackoffOver,
  kPoppedFromBackoff,
  kActivated,
  kTimedOut,
};

// Pods that entered the queues for one cause, since the queue exists.
struct MoveCount {
  MoveCause cause = MoveCause::kEvent;
  uint32_t kind = 0;  // of the event; 0 for other causes than kEvent and kPodUpdate
  uint32_t action = 0;
  uint64_t active = 0;
  uint64_t backoff = 0;
  uint64_t unschedulable = 0;  // gated ones included
};

class SchedulingQueue {
 public:
  using PodFilter = std::function<bool(model::PodId)>;
  using Question = std::function<void(RefuserId, std::span<const model::PodId>)>;

  SchedulingQueue(QueueHooks& hooks, QueueOptions options);
  ~SchedulingQueue();

  // Registers events for a refuser; a refuser may have several interests. Precondition: no pod is
  // in the queue.
  void set_interest(const Interest& interest);

  // Pods that are new to the queue. They become active unless they are gated.
  void add(ProfileId profile, std::span<const model::PodId> pods, Time now);
  // The pod's object changed, as `events` say: at least one, of pending pods. A pod that is active
  // or backs off keeps its queue and its queue time; one that waits or is in flight is treated as
  // for any event; one that is past refusal stays as it is; an unknown one is added.
  void update(ProfileId profile, model::PodId pod, std::span<const QueueEvent> events, Time now);
  // Forgets the pod wherever it is; false if it is unknown.
  bool remove(model::PodId pod);

  // The next pod, which is in flight from now on and has one attempt more.
  std::optional<model::PodId> pop();
  // True if `pop` would return a pod.
  bool can_pop() const;
  // The pod in flight was refused. It waits until an event helps one of its refusers, unless one
  // did since it was popped. Without refusers it is an error.
  void add_unschedulable(model::PodId pod, const Refusers& refusers, Time now);
  // The attempt of the pod in flight failed, and no plugin refused it.
  void add_error(model::PodId pod, Time now);
  // Events do not count for the pod in flight any more; only add_error, done and remove may follow.
  // Nothing happens if it was called before or the pod is unknown.
  void refusal_over(model::PodId pod);
  // Forgets a pod in flight. Nothing happens if the pod is not in flight: it was added again.
  void done(model::PodId pod);

  // Moves the waiting pods that the event may help. `filter` selects among the waiting pods, not
  // among those in flight.
  void move_all(const QueueEvent& event, Time now, const PodFilter& filter = nullptr);
  // True if move_all(event) would look at any pod.
  bool concerns(const QueueEvent& event) const;
  // Calls visit(refuser, pods) for all that move_all(event) might ask now, pods in flight included:
  // one pod of each group.
  void for_each_question(const QueueEvent& event, const Question& visit) const;
  // Waiting and backing-off pods become active unless they are gated. A pod in flight backs off
  // when it comes back, whatever refuses it.
  void activate(std::span<const model::PodId> pods, Time now);

  // To be called at each whole second: pods whose backoff has ended become active.
  void flush_backoff(Time now);
  // To be called every 30 seconds: pods that are unschedulable for too long are tried again.
  void flush_unschedulable(Time now);

  Place place(model::PodId pod) const;
  size_t size(Place place) const;
  // How often the pod was popped. Precondition of this and the following: place(pod) != kNone.
  uint32_t attempts(model::PodId pod) const;
  // Refusers of the latest attempt and of PreEnqueue since; none for a pod in flight.
  const Refusers& refusers(model::PodId pod) const;
  RefuserId gated_by(model::PodId pod) const;  // kNobody: not gated
  Time queued_at(model::PodId pod) const;      // see QueueHooks::queued
  Time backoff_until(model::PodId pod) const;  // zero: it has none
  std::optional<Time> first_active_at(model::PodId pod) const;

  // All pods there; kActive, kBackoff and kErrorBackoff in the order in which they leave.
  std::vector<model::PodId> list(Place place) const;
  const std::vector<MoveCount>& moves() const;
};

}  // namespace berth::queue
