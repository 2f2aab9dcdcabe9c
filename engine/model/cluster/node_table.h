#pragma once

// The nodes: what is known of each, and the columns over those that exist, one row a node, rows in
// the order in which they are searched.
//
// A node has a slot for ever (its name's) and a row while it exists. A pod may count on a node that
// does not exist (yet, or any more): its slot holds it, and the row's sums include it when the node
// comes. Order: rows are put in search order by `order_rows`, which the owner calls before a
// decision.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <span>
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

namespace berth::model {

using Row = uint32_t;
inline constexpr Row kNoRow = UINT32_MAX;

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

// Who knows what counts of pods (ColumnInfo::number says of which query or match set) a node shows.
class RowCounts {
 public:
  virtual ~RowCounts() = default;
  virtual int64_t at_node(uint32_t number, Slot slot) const = 0;
};

class NodeTable {
 public:
  static constexpr Slot kNoSlot = model::kNoSlot;

  struct Node {
    StringId name = 0;
    Row row = kNoRow;
    bool present = false;  // a node that was deleted keeps its row until rows are ordered again
    std::string zone;
    Labels labels;
    Labels annotations;
    bool unschedulable = false;
    uint32_t taint_set = 0;
    Amounts allocatable;
    std::vector<uint32_t> images;
    std::vector<int64_t> image_sizes;
    std::vector<uint64_t> ports;        // in use: a set, without duplicates
    std::vector<PodOnNode> pods;        // in order of arrival; the last takes a removed one's place
    std::vector<Nomination> nominated;  // in order of arrival
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

  // The node comes into being, or is replaced by another object of its name.
  void put(const model::Node& object);
  void remove(Slot slot);  // precondition: present
  // Brings rows into search order if nodes came or went since; as in kube-scheduler, a zone change
  // alone shows only then. Columns of a renumbered table are new, and the log says so.
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
  // Where a template's amounts go; stale when a requested column came into being since.
  struct Effects {
    uint64_t version = 0;
    std::vector<std::pair<Column*, int64_t>> amounts;
    Changes changes = 0;
  };

  Column& make(ColumnId id, const ColumnInfo& info);
  void fill(const ColumnInfo& info, Column& column, Row row);
  void fill_domain(Column& column, Row row, StringId key, StringId value);
  int64_t requested(const Node& node, StringId resource) const;
  int64_t nonzero(const Node& node, StringId resource) const;
  void fill_row(Slot slot, Changes changes);
  void written(const ColumnInfo& info, Column& column, std::span<const Row> rows);
  bool order_changed() const;
  // Rows behind those that were ordered, of nodes that came since and are gone again.
  void drop_new_rows();
  const Effects& effects(TemplateId pod);
  void count(Slot slot, TemplateId pod, int64_t sign);
  void count_ports(Node& node, TemplateId pod, bool add);
  void take_images(Node& node, const model::Node& object);
  void drop_images(Node& node);

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
  // The slots that had rows when they were last ordered. A new order is only made when a node is
  // there that was not, or there are fewer: one that went and came back in between keeps its place.
  std::vector<bool> ordered_;
  size_t ordered_count_ = 0;
  bool order_stale_ = false;

  std::vector<Stored> columns_;    // by ColumnId; null where nobody asked
  std::vector<ColumnId> present_;  // those that exist
  Column* pods_column_ = nullptr;
  Column* ports_column_ = nullptr;
  Column* nonzero_cpu_column_ = nullptr;
  Column* nonzero_memory_column_ = nullptr;
  uint64_t effects_version_ = 1;
  std::vector<Effects> effects_;  // by template
  std::vector<Slot> nominated_slots_;
};

}  // namespace berth::model
