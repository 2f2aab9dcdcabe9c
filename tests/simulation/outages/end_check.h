#pragma once

// The end of a simulation of outages, when all nodes are well and time has passed.

#include <cstdint>
#include <string>

#include "engine/model/cluster/cluster.h"
#include "tests/simulation/outages/outage_world.h"
#include "tests/simulation/outages/pod_lives.h"

namespace berth::simulation {

// True if enough pods of the Job have succeeded, or it is none that ends.
bool is_complete(const DrawnWorkload& workload, PodLives& lives);
// Returns what is wrong with the pods of the workload: how many there are, where they are bound,
// and how many were made; empty: nothing is. `fewer`: replicas that were taken from it.
std::string wrong_pods(const runtime::Core& core, const DrawnWorkload& workload, PodLives& lives,
                       uint64_t fewer);
// Names a node on which pods request more than it has; empty: there is none.
std::string overfull_node(const model::Cluster& cluster, const OutageWorld& world);

}  // namespace berth::simulation
