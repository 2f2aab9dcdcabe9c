#include "engine/framework/evaluation/nominated.h"

namespace berth::framework {

std::vector<model::PodOnNode> nominated_on(const model::Cluster& cluster, model::Row row,
                                           const DecisionContext& cycle) {
  std::vector<model::PodOnNode> pods;
  const model::NodeTable& nodes = cluster.nodes();
  const model::PodRecord& mine = *cycle.pod;
  for (const model::Nomination& other : nodes.node(nodes.slot_of(row)).nominated) {
    bool same = other.pod.uid == mine.uid && other.pod.name == mine.name &&
                other.pod.namespace_name == mine.namespace_name;
    if (other.priority >= cycle.priority && !same)
      pods.push_back({0, other.pod.pod_template, other.pod.shape, other.pod.terminating});
  }
  return pods;
}

Overlay overlay_with(const model::Cluster& cluster, model::Row row,
                     const std::vector<model::PodOnNode>& pods) {
  Overlay overlay(cluster, row);
  for (const model::PodOnNode& pod : pods) overlay.add_pod(pod);
  return overlay;
}

}  // namespace berth::framework
