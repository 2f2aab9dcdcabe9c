#pragma once

// The rows of nodes: which node each row holds, and in which order they are searched.
//
// Decisions read rows as the search order, so columns are stored in that order and hooks run over
// contiguous memory. A new node gets the row after all others at once; `follow_tree`, which the
// node table calls before a decision, brings rows into search order. Between two calls any number
// of nodes may be added, replaced and removed at a cost that does not depend on the number of
// nodes.
//   - A node that the tree puts behind all others is in order already: nothing moves. This holds
//     for every node of a cluster with one zone, or with zones that grow in turns.
//   - Otherwise the tree says which rows each such node moves (row_shifts.h), and those move in
//     every column, one node after the other. The log has the number of the renumbering, so that
//     values that others keep by row move with them instead of being made again
//     (framework/ranking).
//   - Where more than a few nodes came or went, the rows from the first that differs are permuted
//     in every column, and what others keep by row is made again.
//
// A removed node cannot just leave a dead row: zones take turns, so the later nodes of its zone all
// take the place of the one before, and change places with nodes of other zones. With z zones of
// equal size that is a share of 1 / 2z of all rows on average.
// Other ways: a fixed row for each node and a permutation for the search order make a removal free
// and every search dearer, since reading through a permutation costs three times as much as reading
// in order, for each column and decision. One permutation of all rows reads and writes twice what a
// shift does even for one zone, and looks at every slot. row_order.cc has the figures.
//
// Belongs to the node table and has its threads. Columns do not move here: the table moves them as
// follow_tree() says.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/model/cluster/node_tree.h"
#include "engine/model/columns/row_shifts.h"
#include "engine/model/pods/pod_table.h"

namespace berth::model {

class RowOrder {
 public:
  // The changes of rows, which have to happen to all values by row.
  struct Move {
    // Number of the renumbering that says where rows went. 0: they were permuted, so that row
    // `first` + i has the values of the former row `rows_before[i]`, and rows behind those go.
    uint32_t renumbering = 0;
    Row first = 0;
    std::vector<uint32_t> rows_before;
  };

  Slot slot_of(Row row) const { return slots_[row]; }  // requires row < rows()
  // kNoRow if it has none. Requires that the slot was added.
  Row row_of(Slot slot) const { return rows_[slot]; }
  // Number of rows. Until follow_tree() it includes rows of nodes that were removed.
  Row rows() const { return static_cast<Row>(slots_.size()); }
  // Asks for the memory that row_of(slot) reads.
  void prefetch(Slot slot) const { __builtin_prefetch(&rows_[slot]); }

  // The next slot; it has no row.
  void add_slot() { rows_.push_back(kNoRow); }
  // Gives the slot a row after all others. Precondition: it has none.
  Row append(Slot slot);

  // Add and remove a node. One that is removed keeps its row until follow_tree(). Zones:
  // zone_key().
  void add(Slot slot, const std::string& zone);
  void remove(Slot slot, const std::string& zone);
  // The node has another zone. Rows follow when a node is added or removed.
  void move(Slot slot, const std::string& from, const std::string& to);

  // True if no node was added or removed since follow_tree().
  bool ordered() const { return !stale_; }
  // Brings rows into search order if nodes were added or removed since the last call. Says what
  // moved; nothing if all rows are where they were. Precondition: each node has a row.
  std::optional<Move> follow_tree();
  // The effect on rows of the entry of the log with that number (change_log.h). Null if the number
  // is 0, or too many followed it. Valid until follow_tree().
  const Renumbering* renumbering(uint32_t number) const {
    if (number == 0 || renumbered_ - number >= kKeptRenumberings) return nullptr;
    return &renumberings_[number % kKeptRenumberings];
  }

 private:
  bool changed() const { return tree_.size() != ordered_count_ || added_ != 0; }
  RowShift* next_shift();
  void add_to_tree(Slot slot, const std::string& zone);
  void remove_from_tree(Slot slot, const std::string& zone);
  Move take(std::vector<Slot> order);
  Move shift();
  Move drop_new_rows();
  void move_slots(const Renumbering& by);
  Renumbering& next_renumbering();

  std::vector<Slot> slots_;  // by row
  std::vector<Row> rows_;    // by slot
  NodeTree tree_;
  // Rows below ordered_count_ are those that decisions saw last, in order; the rest are nodes that
  // were added since. A new order is made only if one of those still exists, or there are fewer
  // nodes than rows in order: a node that was removed and added again in between keeps its row.
  Row ordered_count_ = 0;
  Row added_ = 0;         // nodes that exist and have no row below ordered_count_
  bool stale_ = false;    // a node was added or removed since
  bool in_order_ = true;  // the rows as they are, are the tree's order
  // From the order of the rows below ordered_count_ to the tree's: the first shifts_made_ of
  // shifts_, unless those are too many.
  std::array<RowShift, 64> shifts_;
  size_t shifts_made_ = 0;
  bool too_many_shifts_ = false;
  static constexpr uint32_t kKeptRenumberings = 64;
  std::vector<Renumbering> renumberings_;
  uint32_t renumbered_ = 0;  // number of the last one
  BlockBits differ_;
};

}  // namespace berth::model
