#pragma once

// The overlay of nominated pods: filters look at a node with the pods added that were promised room
// there, so that nobody below them takes it.

#include <vector>

#include "engine/framework/evaluation/evaluator.h"
#include "engine/framework/hooks/overlay.h"

namespace berth::framework {

// The pods nominated to a row that filters must see when they judge the context's pod: those with
// its priority or a higher one, but not the pod itself.
std::vector<model::PodOnNode> nominated_on(const model::Cluster& cluster, model::Row row,
                                           const DecisionContext& cycle);

// The row with these pods added to it. The overlay refers to the cluster.
Overlay overlay_with(const model::Cluster& cluster, model::Row row,
                     const std::vector<model::PodOnNode>& pods);

}  // namespace berth::framework
