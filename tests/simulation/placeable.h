#pragma once

// Says without the engine whether a pod that waits has a place: kube-scheduler's filters, recounted
// over plain objects, and preemption of all pods of lower priority.

#include <optional>
#include <string>

#include "tests/properties/brute_force.h"

namespace berth::simulation {

// The place that the pod has, in words; nothing: it has none. `objects` holds the pods that are
// bound, and the nominated ones that count. Preemption is left out for a pod that is nominated.
std::optional<std::string> place_of(const model::Pod& pod, const tests::brute::Objects& objects);

}  // namespace berth::simulation
