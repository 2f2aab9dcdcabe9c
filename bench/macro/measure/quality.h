#pragma once

// How good the placement is that a run left behind.

#include <vector>

#include "bench/macro/measure/measurement.h"
#include "engine/model/cluster/cluster.h"

namespace berth::bench {

// `shapes`: templates of the workload's pods, those that fragmentation is asked for. Looks at
// amounts only: whether a taint or a rule keeps a shape from a node is another question.
// Precondition: rows are in order.
Quality quality(model::Cluster& cluster, const std::vector<model::TemplateId>& shapes);

}  // namespace berth::bench
