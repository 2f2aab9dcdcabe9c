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

bool NodeTree::add(NodeId node, std::string_view zone) {
  auto [at, fresh] = ids_.try_emplace(std::string(zone), static_cast<ZoneId>(zones_.size()));
  if (fresh) zones_.emplace_back();
  Zone& in = zones_[at->second];
  if (in.nodes.empty()) {
    in.age = ++ages_;
    in_use_.push_back(at->second);
  }
  const bool last = join_turn(in);
  in.nodes.push_back(node);
  ++size_;
  return last;
}

// The zone takes part in one turn more.
bool NodeTree::join_turn(const Zone& zone) {
  const size_t number = zone.nodes.size();
  if (number == turns_.size()) turns_.emplace_back();
  Turn& turn = turns_[number];
  ++turn.zones;
  if (zone.age < turn.youngest) return false;
  turn.youngest = zone.age;
  return number + 1 == turns_.size();
}

void NodeTree::remove(NodeId node, std::string_view zone) {
  auto at = ids_.find(std::string(zone));
  BERTH_ASSERT(at != ids_.end());
  std::vector<NodeId>& nodes = zones_[at->second].nodes;
  auto position = std::find(nodes.begin(), nodes.end(), node);
  BERTH_ASSERT(position != nodes.end());
  nodes.erase(position);
  leave_turn(nodes.size());
  if (nodes.empty()) in_use_.erase(std::find(in_use_.begin(), in_use_.end(), at->second));
  --size_;
}

// A zone has no node in that turn any more.
void NodeTree::leave_turn(size_t number) {
  Turn& turn = turns_[number];
  if (--turn.zones == 0) {
    BERTH_ASSERT(number + 1 == turns_.size());
    turns_.pop_back();
    return;
  }
  for (auto zone = in_use_.rbegin(); zone != in_use_.rend(); ++zone)
    if (zones_[*zone].nodes.size() > number) {
      turn.youngest = zones_[*zone].age;
      return;
    }
}

std::vector<NodeTree::NodeId> NodeTree::order() const {
  std::vector<NodeId> order;
  order.reserve(size_);
  std::vector<ZoneId> zones = in_use_;
  for (size_t turn = 0; !zones.empty(); ++turn) {
    std::erase_if(zones, [&](ZoneId zone) { return zones_[zone].nodes.size() <= turn; });
    for (ZoneId zone : zones) order.push_back(zones_[zone].nodes[turn]);
  }
  return order;
}

}  // namespace berth::model
