#pragma once

// The nodes: what is known of each, and the columns over those that exist, one row a node, rows in
// the order in which they are searched.
//
// Slots and rows. A name has a slot for as long as the table lives; a node has a row while it
// exists. A pod may count on a node that does not exist (yet, or any more): the slot holds the pod,
// and the row's sums include it when the node is added.
//
// Order. Decisions read rows as the search order, so columns are stored in that order and hooks run
// over contiguous memory. A new node gets the row behind all others at once; `order_rows`, which
// the owner calls before a decision, brings rows into search order. Between two calls any number of
// nodes may be added, replaced and removed at a cost that does not depend on the number of nodes.
//   - Nodes that the tree put behind all others are in order already: nothing moves. That is every
//     node of a cluster with one zone, or with zones that grow in turns.
//   - Otherwise the rows from the first that differs are permuted in every column. A block of a
//     column gets a new generation only if its values differ afterwards, so that answers that were
//     computed from columns whose values repeat (taints, labels, allocatable amounts) stay valid.
// A node with a row of its own for ever, and a permutation for the search order, would make removal
// cheaper, and every search dearer: reading through a permutation costs three times as much as
// reading in order, for each column and decision, where permuting 30 columns costs 47 ms a million
// rows, once per change of the nodes.
//
// Updates. `difference` compares an object with what the table holds, and `put` writes the columns
// that follow what differs, and there only the values that differ. An update that repeats what is
// known costs the comparison.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/model/cluster/node_tree.h"
#include "engine/model/objects/objects.h"
#include "engine/model/pods/pod_table.h"
#include "engine/model/pods/pod_templates.h"
#include "engine/model/selectors/node_selectors.h"
#include "engine/model/storage/catalog.h"
#include "engine/model/storage/change_log.h"
#include "engine/model/storage/column.h"
#include "engine/model/storage/dictionaries.h"
#include "engine/model/storage/domains.h"
#include "engine/model/storage/gathered.h"

namespace berth::model {

using Row = uint32_t;
inline constexpr Row kNoRow = UINT32_MAX;
// The lowest priority among no pods.
inline constexpr int64_t kNoPriority = INT64_MAX;

// A pod as its node counts it.
struct PodOnNode {
  PodId pod;
  TemplateId pod_template = 0;
  ShapeId shape = 0;
  bool terminating = false;
};

// A pod that is nominated to a node: filters of pods of equal or lower priority see it there.
struct Nomination {
  PodOnNode pod;
  int32_t priority = 0;
};

// Supplies the counts of pods that a node shows; `number` (ColumnInfo::number) is the query or the
// match set.
class RowCounts {
 public:
  virtual ~RowCounts() = default;
  virtual int64_t at_node(uint32_t number, Slot slot) const = 0;
};

class NodeTable {
 public:
  static constexpr Slot kNoSlot = model::kNoSlot;

  // What an object says about its node.
  struct Values {
    std::string zone;
    Labels labels;
    Labels annotations;
    bool unschedulable = false;
    uint32_t taint_set = 0;
    Amounts allocatable;           // by id
    std::vector<uint32_t> images;  // without duplicates
    std::vector<int64_t> image_sizes;
  };
  struct Node : Values {
    StringId name = 0;
    Row row = kNoRow;
    bool present = false;  // a node that was removed keeps its row until rows are ordered again
    std::vector<uint64_t> ports;        // in use: a set, without duplicates
    std::vector<PodOnNode> pods;        // in order of arrival; the last takes a removed one's place
    std::vector<Nomination> nominated;  // in order of arrival
  };
  // An object, and the inputs that differ from what the table holds: bits of change_log.h, kAll for
  // a node that does not exist, 0 if nothing does.
  struct Update {
    Slot slot = kNoSlot;
    Values values;
    Changes changes = 0;
  };

  // What the columns are made of; all of it outlives the table.
  struct Sources {
    Strings& strings;
    const NodeSelectors& selectors;
    const TolerationSets& tolerations;
    Images& images;
    TaintSets& taint_sets;
    Domains& domains;
    const PodTemplates& templates;
  };

  NodeTable(Arena& arena, const Sources& sources, ChangeLog& log);
  void set_counts(const RowCounts& counts, const RowCounts& carried) {
    counts_ = &counts;
    carried_ = &carried;
  }

  Slot slot(StringId name);        // made if new
  Slot find(StringId name) const;  // kNoSlot if there never was one
  const Node& node(Slot slot) const { return nodes_[slot]; }
  Node& node(Slot slot) { return nodes_[slot]; }
  Slot slot_of(Row row) const { return slots_[row]; }
  Row rows() const { return static_cast<Row>(slots_.size()); }
  Slot slots() const { return static_cast<Slot>(nodes_.size()); }  // slots are below it

  // What putting the object would change. The update is for `put`, before anything else changes.
  Update difference(const model::Node& object);
  // The node is added, or replaced by another object of its name. Leaves the values that were
  // replaced in `update`.
  void put(Update& update);
  void remove(Slot slot);  // precondition: present
  // Brings rows into search order if nodes were added or removed since the last call; as in
  // kube-scheduler, a change of a node's zone alone shows only then. The log says if rows were
  // renumbered. Costs nothing if no node was added or removed.
  void order_rows();

  // A pod of that template counts on the slot's node from now on; its position in the node's
  // `pods`.
  uint32_t add_pod(Slot slot, PodOnNode pod);
  // Removes the pod at that position. Returns the pod that takes its place in the list; no id if
  // it was the last.
  PodId remove_pod(Slot slot, uint32_t position);

  void nominate(Slot slot, const Nomination& nomination);
  void clear_nomination(Slot slot, PodId pod);
  // Slots with nominations, in no particular order.
  const std::vector<Slot>& nominated_slots() const { return nominated_slots_; }

  // The column, which comes into being when it is first asked for.
  const Column& column(ColumnId id, const ColumnInfo& info);
  // Appends the value that a node's row has in the column if these are the node's values. False,
  // and nothing is appended, if the column follows more than the node's object (its row, its pods).
  bool gather(const ColumnInfo& info, Slot slot, const Values& values, Gathered& out) const;
  // Of a dictionary column of nodes; 0 for others.
  uint32_t dictionary_size(const ColumnInfo& info) const;
  // Removes the column; it comes into being again when it is asked for. Precondition: it is an
  // I64 column of counts, and nothing refers to it.
  void drop_column(ColumnId id);
  // The template's id is about to be used for another template.
  void forget_template(TemplateId id) {
    if (id < effects_.size()) effects_[id] = {};
  }
  // Writes to an I64 column that exists: value(row) for each of the rows.
  template <typename Value>
  void set(ColumnId id, std::span<const Row> rows, const Value& value) {
    Column& column = *columns_[id].column;
    auto* values = column.values<int64_t>();
    for (Row row : rows) values[row] = value(row);
    written(columns_[id].info, column, rows);
  }

 private:
  struct Stored {
    std::unique_ptr<Column> column;
    ColumnInfo info;
  };
  // The columns that a template's amounts add to; stale once a requested column is made.
  struct Effects {
    uint64_t version = 0;
    std::vector<std::pair<Column*, int64_t>> amounts;
    Changes changes = 0;
  };

  Values values_of(const model::Node& object);
  void take_images(Values& values, const model::Node& object);
  void count_images(const Node& before, const Values& after);
  void move_in_tree(Slot slot, const std::string& zone);
  void add_row(Slot slot);
  void fill_row(Slot slot, Changes changes);
  bool order_changed() const;
  void take_order(std::vector<Slot> order);
  void drop_new_rows();

  // Columns: node_columns.cc.
  Column& make(ColumnId id, const ColumnInfo& info);
  bool fill(const ColumnInfo& info, Column& column, Row row);
  template <typename Take>
  bool read(const ColumnInfo& info, StringId name, const Values& values, Take&& take) const;
  DomainCode domain_of(StringId key, StringId value) const;
  int64_t requested(const Node& node, StringId resource) const;
  int64_t nonzero(const Node& node, StringId resource) const;
  void written(const ColumnInfo& info, Column& column, std::span<const Row> rows);

  const Effects& effects(TemplateId pod);
  void count(Slot slot, TemplateId pod, int64_t sign);
  int64_t lowest_priority(const Node& node) const;
  void follow_priority(const Node& node, TemplateId pod, bool added);
  void count_ports(Node& node, TemplateId pod, bool add);

  Arena& arena_;
  Strings& strings_;
  const NodeSelectors& selectors_;
  const TolerationSets& tolerations_;
  Images& images_;
  TaintSets& taint_sets_;
  Domains& domains_;
  const PodTemplates& templates_;
  const RowCounts* counts_ = nullptr;
  const RowCounts* carried_ = nullptr;
  ChangeLog& log_;
  StringId cpu_, memory_;

  std::vector<Node> nodes_;  // by slot
  boost::unordered_flat_map<StringId, Slot> slots_by_name_;
  std::vector<Slot> slots_;  // by row
  NodeTree tree_;
  // The order of rows. Rows below ordered_count_ are those that decisions saw last, in order; the
  // rest are nodes that were added since. A new order is made only if one of those still exists, or
  // there are fewer nodes than rows in order: a node that was removed and added again in between
  // keeps its row.
  Row ordered_count_ = 0;
  Row added_ = 0;             // nodes that exist and have no row below ordered_count_
  bool order_stale_ = false;  // a node was added or removed since
  bool in_order_ = true;      // the rows as they are, are the tree's order
  AlignedBytes scratch_;

  std::vector<Stored> columns_;    // by ColumnId; null where nobody asked
  std::vector<ColumnId> present_;  // those that exist
  Column* taints_column_ = nullptr;
  Column* pods_column_ = nullptr;
  Column* lowest_priority_column_ = nullptr;
  Column* ports_column_ = nullptr;
  Column* nonzero_cpu_column_ = nullptr;
  Column* nonzero_memory_column_ = nullptr;
  boost::unordered_flat_map<StringId, std::pair<Column*, Changes>>
      requested_columns_;  // by resource
  uint64_t effects_version_ = 1;
  std::vector<Effects> effects_;  // by template
  std::vector<Slot> nominated_slots_;
};

}  // namespace berth::model
