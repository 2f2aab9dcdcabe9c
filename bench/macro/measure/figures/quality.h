#pragma once

// Rates the placements at the end of a run.

#include <vector>

#include "bench/macro/measure/figures/measurement.h"
#include "engine/model/cluster/cluster.h"

namespace berth::bench {

// `shapes` are the templates of the workload's pods, for fragmentation. Only amounts are
// considered; taints and other rules that keep a shape off a node are ignored. Requires: the
// model's rows are in order.
Quality quality(const model::Cluster& cluster, const std::vector<model::TemplateId>& shapes);

}  // namespace berth::bench
