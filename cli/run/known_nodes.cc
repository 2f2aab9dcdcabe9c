#include "cli/run/known_nodes.h"

#include <utility>

#include "engine/model/cluster/pod_name.h"

namespace berth::cli {

std::vector<model::Node> known_nodes(const model::Cluster& cluster) {
  std::vector<model::Node> nodes;
  for (model::Slot slot = 0; slot < cluster.nodes().slots(); ++slot) {
    const model::NodeTable::Node& known = cluster.nodes().node(slot);
    if (!known.present) continue;
    model::Node node;
    node.name = cluster.text(known.name);
    node.labels = model::label_texts(cluster.strings(), known.labels);
    node.taints = cluster.taint_sets().taints(known.taint_set);
    nodes.push_back(std::move(node));
  }
  return nodes;
}

ingest::Remarks::Named pods_on_unknown_nodes(const model::Cluster& cluster) {
  ingest::Remarks::Named found;
  for (model::Slot slot = 0; slot < cluster.nodes().slots(); ++slot) {
    const model::NodeTable::Node& node = cluster.nodes().node(slot);
    if (node.present) continue;
    const std::string_view name = cluster.text(node.name);
    for (const model::PodId pod : cluster.pods_on(name))
      found.add(full_name(cluster, cluster.pod(pod)) + " on " + std::string(name));
  }
  return found;
}

}  // namespace berth::cli
