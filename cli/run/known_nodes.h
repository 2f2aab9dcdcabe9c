#pragma once

#include <vector>

#include "engine/ingest/objects/remarks.h"
#include "engine/model/cluster/cluster.h"

namespace berth::cli {

// The nodes that are present, with what controllers read of them: names, labels and taints. In the
// order in which their names became known.
std::vector<model::Node> known_nodes(const model::Cluster& cluster);

// The pods on nodes that are not present, as "namespace/name on node". They count there if the node
// comes.
ingest::Remarks::Named pods_on_unknown_nodes(const model::Cluster& cluster);

}  // namespace berth::cli
