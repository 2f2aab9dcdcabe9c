#include "engine/model/cluster/node_tree.h"

#include <algorithm>

#include "engine/base/assert.h"

namespace berth::model {
namespace {

const std::string* label(const StringMap& labels, std::string_view key) {
  for (const auto& [name, value] : labels)
    if (name == key) return &value;
  return nullptr;
}

std::string first_label(const StringMap& labels, std::string_view first, std::string_view second) {
  const std::string* value = label(labels, first);
  if (value == nullptr) value = label(labels, second);
  return value == nullptr ? std::string() : *value;
}

}  // namespace

std::string zone_key(const StringMap& labels) {
  std::string zone =
      first_label(labels, "failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone");
  std::string region = first_label(labels, "failure-domain.beta.kubernetes.io/region",
                                   "topology.kubernetes.io/region");
  if (zone.empty() && region.empty()) return {};
  // A zero byte cannot occur in a label value, so two different pairs never give one key.
  return region + '\0' + zone;
}

void NodeTree::add(NodeId node, std::string_view zone) {
  auto [at, fresh] = ids_.try_emplace(std::string(zone), static_cast<ZoneId>(nodes_.size()));
  if (fresh) nodes_.emplace_back();
  if (nodes_[at->second].empty()) zones_.push_back(at->second);
  nodes_[at->second].push_back(node);
  ++size_;
}

void NodeTree::remove(NodeId node, std::string_view zone) {
  auto at = ids_.find(std::string(zone));
  BERTH_ASSERT(at != ids_.end());
  std::vector<NodeId>& nodes = nodes_[at->second];
  auto position = std::find(nodes.begin(), nodes.end(), node);
  BERTH_ASSERT(position != nodes.end());
  nodes.erase(position);
  if (nodes.empty()) zones_.erase(std::find(zones_.begin(), zones_.end(), at->second));
  --size_;
}

std::vector<NodeTree::NodeId> NodeTree::order() const {
  std::vector<NodeId> order;
  order.reserve(size_);
  std::vector<ZoneId> zones = zones_;
  for (size_t turn = 0; !zones.empty(); ++turn) {
    std::erase_if(zones, [&](ZoneId zone) { return nodes_[zone].size() <= turn; });
    for (ZoneId zone : zones) order.push_back(nodes_[zone][turn]);
  }
  return order;
}

}  // namespace berth::model
