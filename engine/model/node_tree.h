#pragma once

// The order in which nodes are searched: zones take turns, and within a zone nodes come as they
// were added. A zone is region and zone label together. Source: kube-scheduler backend/cache
// node_tree.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/objects.h"

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
  struct Zone {
    std::string name;
    std::vector<NodeId> nodes;
  };
  std::vector<Zone>::iterator find(std::string_view zone);

  std::vector<Zone> zones_;  // in the order in which they came up
  size_t size_ = 0;
};

}  // namespace berth::model
