#pragma once

// The share of a cluster's resources that its pods request.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/model/cluster/cluster.h"
#include "engine/output/summary.h"

namespace berth::output {

// One entry per resource that some node has: cpu, memory, ephemeral-storage and pods first, then
// the others by name. Linear in the number of amounts of nodes and pods.
std::vector<ResourceUse> resource_use(const model::Cluster& cluster);

// One node. `resources`: in the order of resource_use(), those that the node has.
struct NodeUse {
  std::string node;
  std::string zone;  // empty: none
  uint64_t pods = 0;
  std::vector<ResourceUse> resources;
};

// Of each node, in the order of the rows. Linear as resource_use().
std::vector<NodeUse> node_uses(const model::Cluster& cluster);

// An amount of the resource, for people: "12.0 cores", "3.5 GiB", "1,024".
std::string amount_text(const std::string& resource, int64_t value);

// The number of placed pods by the node's value of topology.kubernetes.io/zone; "" for nodes
// without that label.
std::map<std::string, uint64_t> pods_per_zone(const model::Cluster& cluster);

}  // namespace berth::output
