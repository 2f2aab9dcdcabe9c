#pragma once

// kube-scheduler's queue in plain words: one list of pods, three heaps of their ids, each rule
// applied pod by pod, and a list of all events for pods in flight. It shares no code with
// SchedulingQueue, only the vocabulary.

#include <functional>
#include <list>
#include <optional>
#include <set>
#include <vector>

#include "engine/queue/scheduling_queue.h"
#include "engine/queue/testing/fake_hooks.h"

namespace berth::queue {

struct PlainPod {
  model::PodId id;
  ProfileId profile = 0;
  Place place = Place::kNone;
  uint32_t attempts = 0, refusals = 0, errors = 0;
  std::set<RefuserId> refusers, pending;
  RefuserId gate = kNobody;
  Time queued_at{};
  uint64_t number = 0;
  size_t popped_at = 0;  // number of events then
};

// A binary tree in a list: the children of position i are at 2i + 1 and 2i + 2, and no child goes
// before its parent. Positions are swapped one pair at a time, as container/heap says.
class PlainHeap {
 public:
  using Before = std::function<bool(model::PodId, model::PodId)>;

  const std::vector<model::PodId>& pods() const { return pods_; }
  void push(model::PodId pod, const Before& before);
  void remove(model::PodId pod, const Before& before);
  // The pod may go before or after others now.
  void fix(model::PodId pod, const Before& before);

 private:
  void up(size_t at, const Before& before);
  void down(size_t at, size_t end, const Before& before);
  size_t position(model::PodId pod) const;

  std::vector<model::PodId> pods_;
};

class PlainQueue {
 public:
  PlainQueue(FakeHooks& world, QueueOptions options, std::vector<Interest> interests)
      : world_(world), options_(options), interests_(std::move(interests)) {}

  void add(ProfileId profile, model::PodId id, Time now);
  void update(ProfileId profile, model::PodId id, const std::vector<QueueEvent>& events, Time now);
  void remove(model::PodId id);
  std::optional<model::PodId> pop();
  void come_back(model::PodId id, const std::set<RefuserId>& refusers,
                 const std::set<RefuserId>& pending, Time now);
  void refusal_over(model::PodId id) { move(*find(id), Place::kPastRefusal); }
  void move_all(const QueueEvent& event, Time now, const SchedulingQueue::PodFilter& filter);
  void activate(model::PodId id, Time now);
  void flush_backoff(Time now);
  void flush_unschedulable(Time now);

  PlainPod* find(model::PodId id);
  const PlainPod* find(model::PodId id) const { return const_cast<PlainQueue*>(this)->find(id); }
  std::optional<Time> until(const PlainPod& pod) const;
  std::vector<model::PodId> list(Place place) const;
  const std::list<PlainPod>& pods() const { return pods_; }

 private:
  enum Worth { kSkip, kAfterBackoff, kImmediately };
  struct PastEvent {
    QueueEvent event;
    bool wildcard = false;
    model::PodId only;  // none: all pods
  };

  bool matches(const Interest& interest, const QueueEvent& event) const;
  bool wanted(const QueueEvent& event) const;
  bool gate_wants(const PlainPod& pod, const QueueEvent& event) const;
  Worth worth(const PlainPod& pod, const PastEvent& event) const;
  Worth worth_since_popped(const PlainPod& pod) const;
  bool backing_off(const PlainPod& pod, Time now) const;
  bool goes_before(Place place, model::PodId a, model::PodId b) const;
  PlainHeap::Before before_in(Place place) const;
  PlainHeap* heap(Place place);
  void move(PlainPod& pod, Place to);
  std::vector<model::PodId> waiting() const;
  void pass_gate(PlainPod& pod);
  void to_active(PlainPod& pod, bool ask_gate);
  void to_backoff(PlainPod& pod);
  void requeue(PlainPod& pod, Worth worth, Time now);

  FakeHooks& world_;
  QueueOptions options_;
  std::vector<Interest> interests_;
  std::list<PlainPod> pods_;
  PlainHeap active_, backing_off_, failed_;
  std::vector<PastEvent> events_;
  uint64_t numbers_ = 0;
};

}  // namespace berth::queue
