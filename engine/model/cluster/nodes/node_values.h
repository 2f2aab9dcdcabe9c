#pragma once

// The values that the node table holds of one node.

#include <cstdint>
#include <string>
#include <vector>

#include "engine/model/objects/labels.h"
#include "engine/model/pods/pod_templates.h"

namespace berth::model {

// The fields of a Node object, interned.
struct NodeValues {
  std::string zone;  // zone_key() of the labels
  Labels labels;
  Labels annotations;
  bool unschedulable = false;
  uint32_t taint_set = 0;                   // code of TaintSets
  std::vector<StringId> declared_features;  // as listed; empty unless the table follows them
  // Sorted by resource id. cpu in milli-CPU, everything else in units (memory: bytes).
  Amounts allocatable;
  std::vector<uint32_t> images;      // codes of Images, without duplicates
  std::vector<int64_t> image_sizes;  // in step with images: bytes
};

struct KnownNode : NodeValues {
  StringId name = 0;
  bool present = false;  // a node that was removed keeps its row until rows are ordered again
  bool retains = false;  // an object was stored: its values are retained
  std::vector<uint64_t> ports;  // host ports in use, packed, without duplicates
  // Of its pods, as in their templates; a value once for each pod that has it.
  std::vector<uint64_t> claims, disks, inline_volumes;
  // In step with `images`: the size in bytes of each, and the number of nodes that have it, as
  // ImageRule says.
  std::vector<int64_t> image_state_sizes, image_state_nodes;
};

}  // namespace berth::model
