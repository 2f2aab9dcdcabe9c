#pragma once

// Groups of pods that are bound together or not at all (plugins/coscheduling), counted
// without the engine.

#include <vector>

#include "tests/properties/brute_force/brute_force.h"

namespace berth::simulation {

// The value of the label that groups the pod; empty: it is of no group.
std::string group_of(const model::Pod& pod);

// True if `members` pods of the group have places at once whatever comes first: in each of some
// random orders, with other pods placed before them, each on a random node that it fits.
// kube-scheduler tries no other order if one of them fails, so a group that has places in some
// orders may wait for ever. `objects`: without the pods of the group.
bool always_fits(const std::vector<const model::Pod*>& group, size_t members,
                 const std::vector<const model::Pod*>& others,
                 const tests::brute::Objects& objects);

}  // namespace berth::simulation
