#pragma once

// The evenness with which the pods of a cluster are spread.

#include <cstdint>
#include <string>
#include <vector>

#include "engine/model/cluster/cluster.h"

namespace berth::output {

// Pods per domain of a topology key.
struct Spread {
  std::string topology_key;
  uint64_t domains = 0, minimum = 0, maximum = 0;
  double mean = 0;
};

// Over the zones, if nodes have some, and over the nodes. Requires: the model's rows are in order.
std::vector<Spread> spreads(const model::Cluster& cluster);

}  // namespace berth::output
