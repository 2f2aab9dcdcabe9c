// The invariants between the rows, the orders and the classes of the queue.

#include "engine/queue/places/pod_places.h"

namespace berth::queue {

// Each valid entry names a pod at that place, and each pod there has one.
template <typename Entries>
std::optional<PodPlaces::Fault> PodPlaces::order_fault(const Entries& entries, Place place) const {
  std::optional<Fault> found;
  size_t members = 0;
  std::vector<bool> seen(pods_.rows());
  entries.for_each([&](const auto& entry) {
    const uint32_t index = ticket_of(entry).index;
    if (found || !valid()(entry)) return;
    ++members;
    if (pods_[index].generation == 0 || pods_[index].place != place)
      found = Fault{pods_.id(index), "has an entry in an order of the queue in which it is not"};
    else if (seen[index])
      found = Fault{pods_.id(index), "has two entries in one order of the queue"};
    seen[index] = true;
  });
  if (!found && members != size(place))
    found = Fault{{},
                  "an order of the queue has " + std::to_string(members) + " entries for " +
                      std::to_string(size(place)) + " pods"};
  return found;
}

// Of a pod's links to its class or its flight.
std::string PodPlaces::row_fault(uint32_t index) const {
  const QueuedPod& pod = pods_[index];
  switch (pod.place) {
    case Place::kUnschedulable:
    case Place::kGated: {
      if (pod.refusal == 0 || pod.slot >= refused_.classes()) return "waits, refused by nobody";
      const bool first = pod.previous == kNoIndex;
      if ((first ? refused_.head(pod.slot) : pods_[pod.previous].next) != index ||
          (pod.next != kNoIndex && pods_[pod.next].previous != index))
        return "waits, and the class of its refusal does not list it";
      if ((refused_[pod.refusal].gated_by != kNobody) != (pod.place == Place::kGated))
        return pod.place == Place::kGated ? "is gated by nobody" : "is gated, and waits ungated";
      return {};
    }
    case Place::kInFlight:
      if (pod.slot >= flights_.size() || flights_[pod.slot].index != index)
        return "is in flight, and events do not find it";
      return {};
    case Place::kNone:
      return "is known to the queue and in no place of it";
    case Place::kActive:
    case Place::kBackoff:
    case Place::kErrorBackoff:
    case Place::kPastRefusal:
      return {};
  }
  return {};
}

std::optional<PodPlaces::Fault> PodPlaces::fault() const {
  std::array<size_t, kPlaces> counted{};
  for (uint32_t index = 0; index < pods_.rows(); ++index) {
    if (pods_[index].generation == 0) continue;
    ++counted[static_cast<size_t>(pods_[index].place)];
    if (std::string wrong = row_fault(index); !wrong.empty())
      return Fault{pods_.id(index), std::move(wrong)};
  }
  for (size_t place = 0; place < kPlaces; ++place)
    if (counted[place] != sizes_[place])
      return Fault{{},
                   "the queue counts " + std::to_string(sizes_[place]) + " pods in place " +
                       std::to_string(place) + "; a recount finds " +
                       std::to_string(counted[place])};
  if (flights_.size() != size(Place::kInFlight))
    return Fault{{}, "the queue lists flights of pods that are not in flight"};
  if (auto wrong = order_fault(active_, Place::kActive)) return wrong;
  if (auto wrong = order_fault(backing_off_, Place::kBackoff)) return wrong;
  if (auto wrong = order_fault(failed_, Place::kErrorBackoff)) return wrong;
  if (auto wrong = order_fault(waiting_, Place::kUnschedulable)) return wrong;
  return order_fault(gated_, Place::kGated);
}

}  // namespace berth::queue
