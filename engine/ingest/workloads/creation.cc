#include "engine/ingest/workloads/creation.h"

#include <algorithm>

#include "engine/ingest/workloads/expand.h"

namespace berth::ingest {

std::vector<model::Node> Creation::nodes() const {
  if (!follows_) return nodes_();
  std::vector<model::Node> all;
  for (const auto& [name, node] : followed_) all.push_back(node);
  return all;
}

void Creation::create(Objects& objects) {
  if (objects.workloads.empty()) return;
  const bool daemons = std::ranges::any_of(objects.workloads, [](const Workload& workload) {
    return workload.kind == WorkloadKind::kDaemonSet;
  });
  expand(objects, daemons ? nodes() : std::vector<model::Node>());
}

void Creation::follow_nodes() {
  for (const model::Node& node : nodes_()) put_node(node);
  follows_ = true;
}

void Creation::put_node(const model::Node& node) {
  model::Node& kept = followed_[node.name];
  kept.name = node.name;
  kept.labels = node.labels;
  kept.taints = node.taints;
}

}  // namespace berth::ingest
