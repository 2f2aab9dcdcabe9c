#pragma once

// The nodes: the values of each, and the columns over the nodes that exist. A node is one row; rows
// are in the order in which they are searched.
//
// Slots and rows. A name has a slot from its first mention until `collect` finds that no node, row,
// pod or nomination needs it; a node has a row while it exists. A pod may count on a node that does
// not exist (not yet, or no longer): the slot holds the pod, and the row's sums include it when the
// node is added.
//
// A slot retains its name and the values of the last object of that name: strings, taints, images.
// It does so beyond the node's removal, while the row exists: the row's columns have their ids, and
// an id that was given to another text by then would look like the value that was there before.
//
// A block of a column gets a new generation only if its values differ afterwards, so that answers
// that were computed from columns whose values repeat (taints, labels, allocatable amounts) stay
// valid. Only blocks whose values differ are written.
//
// The table makes and fills the columns. Its parts are in `nodes`: names and slots, rows and their
// order (row_order.h), pods and their sums, and images (node_images.h). The parts write the columns
// that follow them from one event to the next.
//
// Updates. `difference` compares an object with the values in the table, and `put` writes the
// columns that follow the values that differ. An update that changes nothing costs the comparison.
//
// One thread modifies the table. Other threads may read while nothing is modified.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/assert.h"
#include "engine/model/cluster/nodes/node_images.h"
#include "engine/model/cluster/nodes/node_names.h"
#include "engine/model/cluster/nodes/node_pods.h"
#include "engine/model/cluster/nodes/node_values.h"
#include "engine/model/cluster/nodes/row_order.h"
#include "engine/model/cluster/resource_slots.h"
#include "engine/model/columns/catalog.h"
#include "engine/model/columns/change_log.h"
#include "engine/model/columns/column.h"
#include "engine/model/columns/dictionaries.h"
#include "engine/model/columns/domains.h"
#include "engine/model/columns/gathered.h"
#include "engine/model/columns/row_shifts.h"
#include "engine/model/nominations/nominations.h"
#include "engine/model/objects/objects.h"
#include "engine/model/pods/pod_table.h"
#include "engine/model/pods/pod_templates.h"
#include "engine/model/selectors/node_selectors.h"

namespace berth::model {

// Supplies per-node pod counts for columns. `number` (ColumnInfo::number) is the query or the match
// set; `slot` is a node that exists.
class RowCounts {
 public:
  virtual ~RowCounts() = default;
  virtual int64_t at_node(uint32_t number, Slot slot) const = 0;
};

class NodeTable {
 public:
  static constexpr Slot kNoSlot = model::kNoSlot;
  using Values = NodeValues;
  using Node = KnownNode;
  // An object, and the inputs that differ from what the table holds: bits of change_log.h, kAll for
  // a node that does not exist, 0 if nothing does.
  struct Update {
    Slot slot = kNoSlot;
    Values values;
    Changes changes = 0;
  };

  // The tables from which the columns take their values. All of them outlive the table.
  struct Sources {
    Strings& strings;
    const NodeSelectors& selectors;
    const TolerationSets& tolerations;
    Images& images;
    TaintSets& taint_sets;
    Domains& domains;
    const PodTemplates& templates;
  };

  // The arena and the log outlive the table.
  NodeTable(Arena& arena, const Sources& sources, ChangeLog& log);
  // Sets the sources of node.count and node.carried. They refer to the table, so they cannot be
  // arguments of its constructor. Call it once, before one of these columns is asked for; both
  // outlive the table.
  void set_counts(const RowCounts& counts, const RowCounts& carried) {
    BERTH_ASSERT(counts_ == nullptr);
    counts_ = &counts;
    carried_ = &carried;
  }

  // True if nodes have the features that they declare; at first they have none. Precondition: no
  // node was put.
  void follow_features(bool follow) { follows_features_ = follow; }

  // The slot of a name, new or known.
  Slot slot(StringId name);
  // kNoSlot if the name has no slot.
  Slot find(StringId name) const { return names_.find(name); }
  // Requires slot < slots(). Valid until slot() or difference() adds a slot.
  const Node& node(Slot slot) const { return nodes_[slot]; }
  Node& node(Slot slot) { return nodes_[slot]; }
  // Its pods in order of arrival, except that the last pod takes the position of a removed one.
  // Valid until slot() or difference() adds a slot.
  const std::vector<PodOnNode>& pods(Slot slot) const { return pods_.of(slot); }
  Slot slot_of(Row row) const { return order_.slot_of(row); }  // requires row < rows()
  // The row of a node; kNoRow if it has none. Requires slot < slots().
  Row row_of(Slot slot) const { return order_.row_of(slot); }
  // Number of rows. Until order_rows() it includes rows of nodes that were removed.
  Row rows() const { return order_.rows(); }
  Slot slots() const { return names_.slots(); }  // slots are 0..slots() - 1
  // Nodes that were removed since the last collect().
  size_t removed() const { return removed_; }
  // Retires slots that nothing needs; they are used again. Precondition: nothing keeps counts by
  // slot.
  void collect();

  // The changes that putting the object would make. Pass the update to `put` before the table
  // changes in any other way. Interns strings, taints and images even if it is not passed on.
  Update difference(const model::Node& object);
  // The same of a node that has these taints and is the same otherwise. Requires: it is present.
  Update difference(Slot slot, const std::vector<Taint>& taints);
  // Adds the node, or replaces its values; those that were replaced are left in `update`. No effect
  // if update.changes is 0.
  void put(Update& update);
  // Replaces the labels of a present node for a trial, and returns the former ones: put them back.
  // The node keeps its zone, and with it its place in the search order.
  Labels relabel(Slot slot, Labels labels);
  // Removes the node. Its row stays until order_rows(). Precondition: the node is present.
  void remove(Slot slot);
  // Copies the image states of nodes that were touched. Call before a decision.
  void follow_images() { images_.follow(nodes_, order_, log_); }
  NodeImages& images() { return images_; }
  // Brings rows into search order if nodes were added or removed since the last call; as in
  // kube-scheduler, a change of a node's zone alone shows only then. The log says if rows were
  // renumbered. Costs nothing if no node was added or removed.
  void order_rows();
  const RowOrder& order() const { return order_; }

  // Adds a pod to the node's list and its requests and ports to the node's columns. Returns its
  // position in the node's `pods`.
  uint32_t add_pod(Slot slot, PodOnNode pod);
  // Removes the pod at that position. Returns the pod that takes its place in the list; no id if
  // it was the last.
  PodId remove_pod(Slot slot, uint32_t position);
  // The pod at that position is another one of its template from now on, and last in the list.
  // Returns the pod that takes its place there; no id if it was the last.
  PodId replace_pod(Slot slot, uint32_t position, PodOnNode pod);

  // Add and remove a nomination. Filters read it through an overlay; no column follows it, but the
  // log has an entry with kNominated.
  void nominate(Slot slot, const Nomination& nomination);
  // Precondition of both: the pod has a nomination to the node.
  void clear_nomination(Slot slot, PodId pod);
  void replace_nomination(Slot slot, const Nomination& by);
  // A pod of the node started.
  void pod_started(Slot slot) { log(slot, change::kPodFacts); }
  // Adds up what the pods of each row request again. Describes the first column that holds another
  // value; empty: none does.
  std::string fault() const;
  std::string_view name(Slot slot) const { return names_.text(slot); }
  // Asks for the memory of what placing a pod there reads, and a hook that is asked about the row
  // afterwards. In a large cluster none of it is in a cache.
  void prefetch(Row row) const;

  const Nominations& nominations() const { return nominations_; }

  // The column, created and filled when it is first asked for. Precondition: `info` is the
  // catalog's for `id`, of the nodes table. The reference is valid until drop_column(id).
  const Column& column(ColumnId id, const ColumnInfo& info);
  // Appends the value that a node's row has in the column if these are the node's values. False,
  // and nothing is appended, if the column follows more than the node's object (its row, its pods).
  bool gather(const ColumnInfo& info, Slot slot, const Values& values, Gathered& out) const;
  // The number of codes of a dictionary column of nodes; 0 for other columns.
  uint32_t dictionary_size(const ColumnInfo& info) const;
  size_t columns() const { return present_.size(); }  // columns that exist
  // Removes the column if it exists; it is created again when it is asked for. Precondition: it is
  // a member of a family, and nothing refers to it.
  void drop_column(ColumnId id);
  // Calls visit(key, codes) for each column of domains; codes are by row.
  template <typename Visit>
  void for_each_domain_column(Visit&& visit) const {
    for (ColumnId id : present_) {
      const Stored& stored = columns_[id];
      if (stored.info.attribute == Attribute::kNodeDomain ||
          stored.info.attribute == Attribute::kNodeZone)
        visit(stored.info.key, std::span(stored.column->values<uint32_t>(), rows()));
    }
  }
  // Drops what is cached for a template whose id is about to be used for another template.
  void forget_template(TemplateId id) { pods_.forget(id); }
  // Writes value(row) to each of the rows of an I64 column, and logs the rows whose value differs.
  // Precondition: the column exists.
  template <typename Value>
  void set(ColumnId id, std::span<const Row> rows, const Value& value) {
    BERTH_ASSERT(id < columns_.size() && columns_[id].column != nullptr);
    Column& column = *columns_[id].column;
    auto* values = column.values<int64_t>();
    for (Row row : rows) values[row] = value(row);
    written(id, rows);
  }

 private:
  struct Stored {
    std::unique_ptr<Column> column;
    ColumnInfo info;
  };

  void fill_all(const ColumnInfo& info, Column& column);
  Values values_of(const model::Node& object);
  void retain(const Values& values);
  void release(const Values& values);
  void add_row(Slot slot);
  void fill_row(Slot slot, Changes changes);

  // Columns: node_columns.cc.
  void fill_new_rows(const Renumbering& by);
  Column& make(ColumnId id, const ColumnInfo& info);
  bool fill(const ColumnInfo& info, Column& column, Row row);
  template <typename Take>
  bool read(const ColumnInfo& info, StringId name, const Values& values, Take&& take) const;
  DomainCode domain_of(StringId key, StringId value) const;
  std::optional<int64_t> recount(const ColumnInfo& info, Slot slot) const;
  void written(ColumnId id, std::span<const Row> rows);

  // An entry about the node's row, if it has one.
  void log(Slot slot, Changes changes) {
    if (row_of(slot) != kNoRow) log_.append(Table::kNodes, row_of(slot), changes);
  }

  Arena& arena_;
  const Sources sources_;
  const RowCounts* counts_ = nullptr;
  const RowCounts* carried_ = nullptr;
  ChangeLog& log_;
  ResourceSlots rare_;
  NodeImages images_;
  NodeNames names_;
  std::vector<Node> nodes_;  // by slot; a name of 0: the slot is free
  NodePods pods_;
  size_t removed_ = 0;
  bool follows_features_ = false;
  RowOrder order_;
  BlockBits differ_;  // room for the work of order_rows(), as the next
  AlignedBytes scratch_;

  std::vector<Stored> columns_;         // by ColumnId; null: not asked for
  std::vector<ColumnId> present_;       // those that exist
  std::vector<const Column*> amounts_;  // of them: what nodes have and what their pods request
  static constexpr size_t kMostAmounts = 16;  // others are not prefetched
  Column* taints_column_ = nullptr;
  Nominations nominations_;
};

}  // namespace berth::model
