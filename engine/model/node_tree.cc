#include "engine/model/node_tree.h"

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

std::vector<NodeTree::Zone>::iterator NodeTree::find(std::string_view zone) {
  return std::find_if(zones_.begin(), zones_.end(), [&](const Zone& z) { return z.name == zone; });
}

void NodeTree::add(NodeId node, std::string_view zone) {
  auto at = find(zone);
  if (at == zones_.end()) at = zones_.insert(zones_.end(), Zone{std::string(zone), {}});
  at->nodes.push_back(node);
  ++size_;
}

void NodeTree::remove(NodeId node, std::string_view zone) {
  auto at = find(zone);
  BERTH_ASSERT(at != zones_.end());
  auto position = std::find(at->nodes.begin(), at->nodes.end(), node);
  BERTH_ASSERT(position != at->nodes.end());
  at->nodes.erase(position);
  if (at->nodes.empty()) zones_.erase(at);
  --size_;
}

std::vector<NodeTree::NodeId> NodeTree::order() const {
  std::vector<NodeId> order;
  order.reserve(size_);
  for (size_t turn = 0; order.size() < size_; ++turn)
    for (const Zone& zone : zones_)
      if (turn < zone.nodes.size()) order.push_back(zone.nodes[turn]);
  return order;
}

}  // namespace berth::model
