#include "engine/cli/run/known_nodes.h"

#include <algorithm>
#include <utility>

namespace berth::cli {

std::vector<model::Node> known_nodes(const model::Cluster& cluster) {
  std::vector<model::Node> nodes;
  for (model::Slot slot = 0; slot < cluster.nodes().slots(); ++slot) {
    const model::NodeTable::Node& known = cluster.nodes().node(slot);
    if (!known.present) continue;
    model::Node node;
    node.name = cluster.text(known.name);
    for (const auto& [key, value] : known.labels)
      node.labels.emplace_back(cluster.text(key), cluster.text(value));
    std::sort(node.labels.begin(), node.labels.end());
    node.taints = cluster.taint_sets().taints(known.taint_set);
    nodes.push_back(std::move(node));
  }
  return nodes;
}

}  // namespace berth::cli
