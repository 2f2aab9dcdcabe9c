#pragma once

// The order in which nodes are searched: zones take turns, and within a zone nodes come as they
// were added. A zone is region and zone label together. Source: kube-scheduler backend/cache
// node_tree.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/objects/objects.h"

namespace berth::model {

// "" where the node has neither label; the beta labels win where present.
std::string zone_key(const StringMap& labels);

class NodeTree {
 public:
  using NodeId = uint32_t;

  void add(NodeId node, std::string_view zone);
  void remove(NodeId node, std::string_view zone);
  size_t size() const { return size_; }

  std::vector<NodeId> order() const;

 private:
  using ZoneId = uint32_t;

  // By zone key, for ever: zones come and go with their nodes, but hardly new ones.
  boost::unordered_flat_map<std::string, ZoneId> ids_;
  std::vector<std::vector<NodeId>> nodes_;  // by zone
  std::vector<ZoneId> zones_;               // with nodes, in the order in which they came up
  size_t size_ = 0;
};

}  // namespace berth::model
