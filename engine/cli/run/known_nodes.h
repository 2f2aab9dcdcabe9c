#pragma once

#include <vector>

#include "engine/model/cluster/cluster.h"

namespace berth::cli {

// The nodes that are present, with what controllers read of them: names, labels and taints. In the
// order in which their names became known.
std::vector<model::Node> known_nodes(const model::Cluster& cluster);

}  // namespace berth::cli
