#pragma once

// Nodes that may be added to a cluster, as files describe them: a NodeTemplate (berth/v1), which is
// a Node with a price and a most number, or a Node, of which copies are taken.

#include <cstdint>
#include <string>
#include <vector>

#include "engine/model/objects/objects.h"

namespace berth::cli {

struct NodeTemplate {
  std::string name;
  model::Node node;  // as a new one: without taints and conditions of its state
  double price = 1;  // of one node; not negative
  uint64_t most = UINT32_MAX;
};

// Of files, of folders with such, and of standard input ("-"). Throws Error for what is wrong with
// them, and if there is none.
std::vector<NodeTemplate> read_node_templates(const std::vector<std::string>& paths);

// A node of the template, with this name.
model::Node node_of(const NodeTemplate& from, std::string name);

}  // namespace berth::cli
