#include "engine/framework/evaluation/nominated.h"

namespace berth::framework {

std::vector<model::PodOnNode> nominated_on(const model::Cluster& cluster, model::Row row,
                                           const DecisionContext& cycle) {
  std::vector<model::PodOnNode> pods;
  const model::NodeTable& nodes = cluster.nodes();
  for (const model::Nomination& other : nodes.node(nodes.slot_of(row)).nominated)
    if (other.priority >= cycle.priority && other.pod.pod != cycle.pod->id)
      pods.push_back(other.pod);
  return pods;
}

Overlay overlay_with(const model::Cluster& cluster, model::Row row,
                     const std::vector<model::PodOnNode>& pods) {
  Overlay overlay(cluster, row);
  for (const model::PodOnNode& pod : pods) overlay.add_pod(pod);
  return overlay;
}

}  // namespace berth::framework
