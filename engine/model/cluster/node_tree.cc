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

bool NodeTree::add(NodeId node, std::string_view zone, RowShift* shift) {
  auto [at, fresh] = ids_.try_emplace(std::string(zone), static_cast<ZoneId>(zones_.size()));
  if (fresh) zones_.emplace_back();
  Zone& in = zones_[at->second];
  if (in.nodes.empty()) {
    in.age = ++ages_;
    in_use_.push_back(at->second);
  }
  const bool last = join_turn(in);
  if (shift != nullptr)
    *shift = {true, place(in, in.nodes.size()), static_cast<Row>(size_), node, {}};
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

void NodeTree::remove(NodeId node, std::string_view zone, RowShift* shift) {
  auto at = ids_.find(std::string(zone));
  BERTH_ASSERT(at != ids_.end());
  std::vector<NodeId>& nodes = zones_[at->second].nodes;
  auto position = std::find(nodes.begin(), nodes.end(), node);
  BERTH_ASSERT(position != nodes.end());
  if (shift != nullptr) {
    const auto turn = static_cast<size_t>(position - nodes.begin());
    *shift = {false, place(zones_[at->second], turn), static_cast<Row>(size_), node, {}};
    describe_removal(zones_[at->second], turn, *shift);
  }
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

// The place in the order of the node that the zone has in a turn, or would have.
Row NodeTree::place(const Zone& zone, size_t turn) const {
  size_t before = 0;
  for (const ZoneId id : in_use_) {
    const Zone& other = zones_[id];
    before += std::min(other.nodes.size(), turn);
    before += other.age < zone.age && other.nodes.size() > turn;
  }
  return static_cast<Row>(before);
}

// The places of the zone's nodes from that turn on, and of all nodes behind the last of them. As
// long as the same zones take part in turns, places of one zone are at the same distance.
void NodeTree::describe_removal(const Zone& zone, size_t turn, RowShift& shift) const {
  std::vector<size_t> all, older;  // sizes of zones that take part in the turn
  for (const ZoneId id : in_use_) {
    const Zone& other = zones_[id];
    if (other.nodes.size() <= turn) continue;
    all.push_back(other.nodes.size());
    if (other.age < zone.age) older.push_back(other.nodes.size());
  }
  std::ranges::sort(all);
  std::ranges::sort(older);
  auto in_turn = all.begin(), older_in_turn = older.begin();
  size_t begin = shift.at - older.size();  // the place of the turn's first node
  while (turn < zone.nodes.size()) {
    while (*in_turn <= turn) ++in_turn;
    while (older_in_turn != older.end() && *older_in_turn <= turn) ++older_in_turn;
    const auto zones = static_cast<uint32_t>(all.end() - in_turn);
    const auto rank = static_cast<size_t>(older.end() - older_in_turn);
    const size_t turns = std::min(*in_turn, zone.nodes.size()) - turn;
    shift.chain.push_back({static_cast<Row>(begin + rank), zones, static_cast<uint32_t>(turns)});
    begin += turns * zones;
    turn += turns;
  }
  const Row behind = shift.chain.back().last() + 1;
  if (behind < shift.rows) shift.chain.push_back({behind, 1, shift.rows - behind});
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
