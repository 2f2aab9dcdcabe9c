#pragma once

// Says without the engine whether a pod that waits has a place: kube-scheduler's filters, recounted
// over plain objects, and preemption of all pods of lower priority. Disruption budgets make no
// difference: preemption violates them if nothing else helps.

#include <optional>
#include <string>
#include <vector>

#include "tests/properties/brute_force/brute_force.h"

namespace berth::simulation {

struct Place {
  std::string node;
  bool by_preemption = false;  // of pods of lower priority
};

// A place of the pod; nothing: it has none. `objects` holds the pods that are bound or assumed, and
// the nominated ones that count. Preemption is left out for a pod that is nominated.
std::optional<Place> place_of(const model::Pod& pod, const tests::brute::Objects& objects);

// The nodes that the pod fits as they are.
std::vector<std::string> nodes_for(const model::Pod& pod, const tests::brute::Objects& objects);

}  // namespace berth::simulation
