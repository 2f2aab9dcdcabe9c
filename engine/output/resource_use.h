#pragma once

// How much of a cluster's resources its pods take.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/model/cluster/cluster.h"
#include "engine/output/summary.h"

namespace berth::output {

// One entry per resource that some node has: those that every node has first, then the others by
// name. Costs what nodes and pods name.
std::vector<ResourceUse> resource_use(const model::Cluster& cluster);

// By the value of topology.kubernetes.io/zone; "" for nodes without.
std::map<std::string, uint64_t> pods_per_zone(model::Cluster& cluster);

}  // namespace berth::output
