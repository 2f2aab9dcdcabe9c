#pragma once

// The images of nodes and their states. Scores read an image's size and the number of nodes that
// have it from the node's image states (ImageRule). kube-scheduler copies them with the rest of a
// node, before a decision and only if the node or its pods changed, so a node may hold an older
// number than the next one. `touch` notes such a node; `follow`, which the node table calls before
// a decision, copies the states of those that were noted. The cost of a node event does not depend
// on the number of nodes.
//
// Belongs to the node table and has its threads.

#include <cstdint>
#include <vector>

#include "engine/base/assert.h"
#include "engine/model/cluster/nodes/node_values.h"
#include "engine/model/cluster/nodes/row_order.h"
#include "engine/model/columns/catalog.h"
#include "engine/model/columns/change_log.h"
#include "engine/model/columns/column.h"
#include "engine/model/columns/dictionaries.h"
#include "engine/model/objects/objects.h"

namespace berth::model {

class NodeImages {
 public:
  explicit NodeImages(Images& images) : images_(images) {}

  // For nodes that are added from now on. Precondition: no slot was added.
  void set_rule(ImageRule rule) {
    BERTH_ASSERT(fresh_.empty());
    rule_ = rule;
  }
  void add_slot() { fresh_.push_back(0); }

  // Writes the images of the object and their sizes. Precondition: `values` has none.
  void take(NodeValues& values, const Node& object);
  // Call before the node gets other values.
  void count(const NodeValues& before, const NodeValues& after);
  // The node got other values. `differ`: other images, or other sizes of them.
  void put(Slot slot, KnownNode& node, bool differ);
  // An object of a present node was put that changes nothing.
  void put_again(Slot slot, const NodeValues& values);
  // Takes the images from a node that is removed, and releases them.
  void remove(Slot slot, KnownNode& node);

  // Something was said of the node or one of its pods. Places and removals of pods need no call.
  void touch(Slot slot) {
    if (fresh_[slot] == 0) return;
    fresh_[slot] = 0;
    touched_.push_back(slot);
  }
  // Asks for the memory that touch(slot) reads.
  void prefetch(Slot slot) const { __builtin_prefetch(&fresh_[slot]); }
  // Copies the states of nodes that were touched, into the columns too. Nodes are by slot.
  void follow(std::vector<KnownNode>& nodes, const RowOrder& order, ChangeLog& log);
  // A column of nodes was made, and lives as long as this. No effect unless it is one of states.
  void use(const ColumnInfo& info, Column& column);

 private:
  bool copy(KnownNode& node) const;

  Images& images_;
  ImageRule rule_ = ImageRule::kCached;
  // By slot. 1: the node has images, and nothing was said of it since they were copied. Every
  // decision reads it for the node that it chose.
  std::vector<uint8_t> fresh_;
  std::vector<Slot> touched_;  // nodes with images that are not fresh
  bool any_changed_ = true;    // since states were copied; kept for ImageRule::kReported
  Column* sizes_column_ = nullptr;
  Column* nodes_column_ = nullptr;
};

}  // namespace berth::model
