#pragma once

// The place of each pod of the queue: its row, the order or class that lists it there, and how many
// pods stand at each place. The three change together here, by the steps that place.h allows.
// fault() finds out whether they agree.
//
// Pods are named by the index of their row. One thread.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "engine/model/pods/pod_id.h"
#include "engine/queue/place.h"
#include "engine/queue/places/entries.h"
#include "engine/queue/places/entry_queue.h"
#include "engine/queue/places/flights.h"
#include "engine/queue/places/key_tails.h"
#include "engine/queue/places/pod_order.h"
#include "engine/queue/places/queued_pods.h"
#include "engine/queue/places/refused_pods.h"

namespace berth::queue {

class PodPlaces {
 public:
  // As QueueOptions has them.
  PodPlaces(bool equal_times, size_t key_bytes);
  PodPlaces(const PodPlaces&) = delete;  // the orders refer to the rows
  PodPlaces& operator=(const PodPlaces&) = delete;

  // Null: the pod is unknown.
  QueuedPod* find(model::PodId pod) { return pods_.find(pod); }
  const QueuedPod* find(model::PodId pod) const { return pods_.find(pod); }
  // Of a known pod. Place, version, refusal, slot and neighbours change here alone.
  QueuedPod& operator[](uint32_t index) { return pods_[index]; }
  const QueuedPod& operator[](uint32_t index) const { return pods_[index]; }
  model::PodId id(uint32_t index) const { return pods_.id(index); }
  size_t size(Place place) const { return sizes_[static_cast<size_t>(place)]; }

  // A new pod, at Place::kNone. Precondition: that of QueuedPods::add.
  QueuedPod& add(model::PodId pod);
  // Forgets the pod, wherever it stands.
  void remove(uint32_t index);

  // Sets what refused the pod; empty if its attempt failed otherwise. Precondition of both: it is
  // at Place::kNone.
  void refuse(uint32_t index, const Refusers& refusers);
  void gate(uint32_t index, RefuserId by);  // kNobody: no gate keeps it
  RefuserId gated_by(uint32_t index) const { return refused_[pods_[index].refusal].gated_by; }

  // To Place::kNone, from any other.
  void leave(uint32_t index);
  // The ends of the keys below: of a pod that is about to enter, or whose key is about to be
  // renewed.
  KeyTails& tails() { return tails_; }
  // From Place::kNone. A pod that nobody refused backs off at Place::kErrorBackoff; a pod that
  // waits is at Place::kGated if a gate keeps it. `group` as QueueHooks has it.
  void make_active(uint32_t index, const SortKey& key);
  void back_off(uint32_t index, Time until, const SortKey& key);
  void wait(uint32_t index, uint32_t group);
  // The pod stays where it is, with another key or group. Preconditions: active; backing off;
  // waiting.
  void renew_active(uint32_t index, const SortKey& key);
  void renew_backoff(uint32_t index, Time until, const SortKey& key);
  void regroup(uint32_t index, uint32_t group);
  // The first pod at kActive or kBackoff is in flight from now on, refused by nobody; kNoIndex:
  // there is none.
  uint32_t fly_first(Place from);
  // From in flight to past refusal.
  void pass_refusal(uint32_t index);

  // The first pod at kBackoff or kErrorBackoff leaves if over(end of its backoff); else kNoIndex.
  template <typename Over>
  uint32_t leave_backoff(Place from, Over&& over);
  // The pod that has waited longest at kUnschedulable or kGated; kNoIndex: none waits.
  uint32_t longest(Place place);
  // Calls visit(index) for up to so many active pods that are likely to be next.
  template <typename Visit>
  void for_each_next(size_t most, Visit&& visit) const;
  // All pods there; kActive, kBackoff and kErrorBackoff in the order in which they leave.
  std::vector<model::PodId> list(Place place) const;

  // The pods that wait, by what refused them, and those in flight that may be refused.
  const RefusedPods& refused() const { return refused_; }
  const Flights& flights() const { return flights_; }
  // An event may help the pod if `refuser` refuses it.
  void help_flight(size_t slot, RefuserId refuser) { flights_[slot].helped.push_back(refuser); }
  // The pod backs off when it comes back, whatever refuses it.
  void force_flight(size_t slot) { flights_[slot].forced = true; }

  // A row, an order or a class that contradicts another. `pod` may be empty.
  struct Fault {
    model::PodId pod;
    std::string what;
  };
  // The first one; nothing: all pods are in one place each, and the sizes are right. Reads all
  // rows and entries.
  std::optional<Fault> fault() const;

 private:
  auto valid() const {
    return [this](const auto& entry) {
      const Ticket ticket = ticket_of(entry);
      return pods_[ticket.index].version == ticket.version;
    };
  }
  ActiveEntry entry(uint32_t index, const SortKey& key) const;
  PodOrder<BackoffEntry>& backoff(Place place);
  EntryQueue<WaitEntry>& waiting(Place place);
  void put(QueuedPod& pod, Place place);

  // pod_places_fault.cc
  template <typename Entries>
  std::optional<Fault> order_fault(const Entries& entries, Place place) const;
  std::string row_fault(uint32_t index) const;

  QueuedPods pods_;
  KeyTails tails_;
  RefusedPods refused_;
  Flights flights_;
  PodOrder<ActiveEntry> active_;
  PodOrder<BackoffEntry> backing_off_;
  PodOrder<BackoffEntry> failed_;  // error backoff
  EntryQueue<WaitEntry> waiting_;  // unschedulable pods
  EntryQueue<WaitEntry> gated_;
  std::array<size_t, kPlaces> sizes_{};
};

template <typename Over>
uint32_t PodPlaces::leave_backoff(Place from, Over&& over) {
  PodOrder<BackoffEntry>& order = backoff(from);
  const BackoffEntry* first = order.first();
  if (first == nullptr || !over(first->until)) return kNoIndex;
  const uint32_t index = first->pod.ticket.index;
  order.drop_first();
  ++pods_[index].version;
  put(pods_[index], Place::kNone);
  return index;
}

template <typename Visit>
void PodPlaces::for_each_next(size_t most, Visit&& visit) const {
  active_.for_each_next(most, [&](const ActiveEntry& entry) { visit(entry.ticket.index); });
}

}  // namespace berth::queue
