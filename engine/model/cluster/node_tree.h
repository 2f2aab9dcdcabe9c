#pragma once

// The order in which nodes are searched: zones take turns, and the nodes of a zone follow each
// other in the order in which they were added. A zone is region and zone label together. Source:
// kube-scheduler backend/cache node_tree.
//
// Turn t of the order holds node number t of each zone that has one, oldest zone first. A node that
// is added to a zone of k nodes goes to turn k. It is the last of the whole order exactly if there
// is no turn k + 1 and no younger zone has a node in turn k. `add` returns that in constant time,
// so that a table that keeps its rows in this order can append a row instead of reading all of it.
// Both `add` and `remove` say on request which places of the order change (row_shifts.h): a node
// that is added pushes those behind it one place back; when one is removed, each later node of its
// zone takes the place of the one before it, and behind the last of them all nodes move up.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/columns/row_shifts.h"
#include "engine/model/objects/objects.h"

namespace berth::model {

// Region and zone of a node in one text; "" if it has neither label. The beta labels
// (failure-domain.beta.kubernetes.io) take precedence, as in k8s.io/component-helpers GetZoneKey.
std::string zone_key(const StringMap& labels);

class NodeTree {
 public:
  using NodeId = uint32_t;

  // Adds a node behind the others of its zone. Returns true if it is the last of the whole order.
  // Constant time. Precondition: the node is not in the tree. `shift`, unless it is null, gets what
  // that does to the order; time: the number of zones.
  bool add(NodeId node, std::string_view zone, RowShift* shift = nullptr);
  // Removes a node. Time: the number of nodes of the zone, plus the number of zones. Precondition:
  // the node is in that zone. With `shift`: time for sorting zones by their numbers of nodes.
  void remove(NodeId node, std::string_view zone, RowShift* shift = nullptr);
  size_t size() const { return size_; }  // nodes

  // All nodes in search order. Linear time.
  std::vector<NodeId> order() const;

 private:
  using ZoneId = uint32_t;

  struct Zone {
    std::vector<NodeId> nodes;
    uint64_t age = 0;  // counts zones that became non-empty; younger ones have higher numbers
  };
  struct Turn {
    size_t zones = 0;       // that have a node in this turn
    uint64_t youngest = 0;  // the highest age among them
  };

  bool join_turn(const Zone& zone);
  void leave_turn(size_t turn);
  Row place(const Zone& zone, size_t turn) const;
  void describe_removal(const Zone& zone, size_t turn, RowShift& shift) const;

  boost::unordered_flat_map<std::string, ZoneId> ids_;  // by zone key; kept when a zone is empty
  std::vector<Zone> zones_;                             // by ZoneId
  std::vector<ZoneId> in_use_;                          // zones with nodes, by age
  std::vector<Turn> turns_;
  uint64_t ages_ = 0;
  size_t size_ = 0;
};

}  // namespace berth::model
