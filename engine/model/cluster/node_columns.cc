// The columns of the node table: how they are made and filled.

#include <algorithm>

#include "engine/base/assert.h"
#include "engine/model/cluster/node_table.h"

namespace berth::model {

const Column& NodeTable::column(ColumnId id, const ColumnInfo& info) {
  if (id >= columns_.size()) columns_.resize(id + 1);
  if (!columns_[id].column) make(id, info);
  BERTH_ASSERT(columns_[id].info.attribute == info.attribute);
  return *columns_[id].column;
}

void NodeTable::drop_column(ColumnId id) {
  if (id >= columns_.size() || columns_[id].column == nullptr) return;
  const ColumnInfo& info = columns_[id].info;
  BERTH_ASSERT(info.member());
  pods_.drop(info);
  std::erase(amounts_, columns_[id].column.get());
  columns_[id] = {};
  std::erase(present_, id);
}

namespace {

bool is_amount(Attribute attribute) {
  return attribute == Attribute::kNodeAllocatable || attribute == Attribute::kNodeRequested ||
         attribute == Attribute::kNodeNonzeroRequested || attribute == Attribute::kNodePods;
}

}  // namespace

Column& NodeTable::make(ColumnId id, const ColumnInfo& info) {
  BERTH_ASSERT(id != 0 && info.table == Table::kNodes);
  columns_[id] = {std::make_unique<Column>(arena_, info.type, info.list), info};
  Column& column = *columns_[id].column;
  column.resize(rows());
  present_.push_back(id);
  if (is_amount(info.attribute) && amounts_.size() < kMostAmounts) amounts_.push_back(&column);
  if (info.attribute == Attribute::kNodeTaints) {
    column.set_dictionary_size(dictionary_size(info));
    taints_column_ = &column;
  }
  pods_.use(info, column);
  images_.use(info, column);
  fill_all(info, column);
  return column;
}

// Precondition: all values are zero.
void NodeTable::fill_all(const ColumnInfo& info, Column& column) {
  if (info.attribute == Attribute::kNodeMatches) {
    if (const auto names = sources_.selectors.names(info.number)) {
      for (const StringId name : *names) {
        const Slot slot = find(name);
        if (slot != kNoSlot && row_of(slot) != kNoRow) fill(info, column, row_of(slot));
      }
      return;
    }
  }
  const bool of_resource =
      info.attribute == Attribute::kNodeAllocatable || info.attribute == Attribute::kNodeRequested;
  if (of_resource && rare_.is_rare(info.key)) {
    rare_.for_each(info.key, [&](Slot slot) {
      if (row_of(slot) != kNoRow) fill(info, column, row_of(slot));
    });
    return;
  }
  for (Row row = 0; row < rows(); ++row) fill(info, column, row);
}

// Calls take(value) with the value of a column that follows the object, a number or the span of a
// list. False, without a call, if the column is none of those.
template <typename Take>
bool NodeTable::read(const ColumnInfo& info, StringId name, const Values& values,
                     Take&& take) const {
  const auto give = [&](auto value) {
    take(value);
    return true;
  };
  switch (info.attribute) {
    case Attribute::kNodeName:
      return give(name);
    case Attribute::kNodeUnschedulable:
      return give(uint8_t{values.unschedulable});
    case Attribute::kNodeLabel:
      return give(label_value(values.labels, info.key));
    case Attribute::kNodeTaints:
      return give(values.taint_set);
    case Attribute::kNodeAllocatable:
      return give(amount_of(values.allocatable, info.key));
    case Attribute::kNodeImages:
      return give(std::span<const uint32_t>(values.images));
    case Attribute::kNodeImageSizes:
      return give(std::span<const int64_t>(values.image_sizes));
    case Attribute::kNodeMatches:
      return give(uint8_t{sources_.selectors.matches(info.number, values.labels, name)});
    case Attribute::kNodeHasLabel:
      return give(uint8_t{label_value(values.labels, info.key) != 0});
    case Attribute::kNodeDomain:
      return give(domain_of(info.key, label_value(values.labels, info.key)));
    case Attribute::kNodeZone:
      return give(
          domain_of(0, values.zone.empty() ? 0 : sources_.strings.intern_counted(values.zone)));
    case Attribute::kNodeTolerated:
      return give(uint8_t{sources_.tolerations.tolerate(
          info.number, sources_.taint_sets.taints(values.taint_set))});
    case Attribute::kNodeAnnotation:
      return give(label_value(values.annotations, info.key));
    case Attribute::kNodeDeclaredFeatures:
      return give(std::span<const StringId>(values.declared_features));
    default:
      return false;
  }
}

// True if the value differs from the one that was there; the column is touched then.
bool NodeTable::fill(const ColumnInfo& info, Column& column, Row row) {
  const Slot slot = slot_of(row);
  const Node& node = nodes_[slot];
  bool differs = false;
  const bool follows_object = read(info, node.name, node, [&](auto value) {
    if constexpr (requires { value.data(); }) {
      differs = column.put_list(row, value);
    } else {
      differs = column.put(row, value);
    }
  });
  if (follows_object) {
    if (const uint32_t size = dictionary_size(info)) column.set_dictionary_size(size);
    return differs;
  }
  switch (info.attribute) {
    case Attribute::kNodeRow:
      return column.put<uint32_t>(row, row);
    case Attribute::kNodeRequested:
      return column.put<int64_t>(row, pods_.requested(slot, info.key));
    case Attribute::kNodeNonzeroRequested:
      return column.put<int64_t>(row, pods_.nonzero(slot, info.key));
    case Attribute::kNodePods:
      return column.put<int64_t>(row, static_cast<int64_t>(pods(slot).size()));
    case Attribute::kNodeLowestPriority:
      return column.put<int64_t>(row, pods_.lowest_priority(slot));
    case Attribute::kNodePorts:
      return column.put_list<uint64_t>(row, node.ports);
    case Attribute::kNodeClaims:
      return column.put_list<uint64_t>(row, node.claims);
    case Attribute::kNodeDisks:
      return column.put_list<uint64_t>(row, node.disks);
    case Attribute::kNodeInlineVolumes:
      return column.put_list<uint64_t>(row, node.inline_volumes);
    case Attribute::kNodeImageStateSizes:
      return column.put_list<int64_t>(row, node.image_state_sizes);
    case Attribute::kNodeImageStateNodes:
      return column.put_list<int64_t>(row, node.image_state_nodes);
    case Attribute::kNodeCount:
      return column.put<int64_t>(row, counts_->at_node(info.number, slot_of(row)));
    case Attribute::kNodeCarried:
      return column.put<int64_t>(row, carried_->at_node(info.number, slot_of(row)));
    default:
      BERTH_ASSERT(false && "not a column of nodes");
      return false;
  }
}

// The value that a column of sums has for a node; nothing for other columns.
std::optional<int64_t> NodeTable::recount(const ColumnInfo& info, Slot slot) const {
  switch (info.attribute) {
    case Attribute::kNodeRequested:
      return pods_.requested(slot, info.key);
    case Attribute::kNodeNonzeroRequested:
      return pods_.nonzero(slot, info.key);
    case Attribute::kNodePods:
      return static_cast<int64_t>(pods(slot).size());
    case Attribute::kNodeLowestPriority:
      return pods_.lowest_priority(slot);
    case Attribute::kNodeAllocatable:
      return amount_of(nodes_[slot].allocatable, info.key);
    default:
      return std::nullopt;
  }
}

std::string NodeTable::fault() const {
  for (const ColumnId id : present_) {
    const Stored& stored = columns_[id];
    for (Row row = 0; row < rows(); ++row) {
      const std::optional<int64_t> sum = recount(stored.info, slot_of(row));
      if (!sum) break;
      const int64_t held = stored.column->values<int64_t>()[row];
      if (held != *sum)
        return "column " + stored.info.id + " holds " + std::to_string(held) + " for node \"" +
               std::string(name(slot_of(row))) + "\"; its pods and its object come to " +
               std::to_string(*sum);
    }
  }
  return {};
}

bool NodeTable::gather(const ColumnInfo& info, Slot slot, const Values& values,
                       Gathered& out) const {
  return read(info, nodes_[slot].name, values, [&](auto value) {
    if constexpr (requires { value.data(); }) {
      out.list(value);
    } else {
      out.value(value);
    }
  });
}

// Zones are the domains of no key.
DomainCode NodeTable::domain_of(StringId key, StringId value) const {
  return value == 0 ? 0 : sources_.domains.code(key, value);
}

uint32_t NodeTable::dictionary_size(const ColumnInfo& info) const {
  switch (info.attribute) {
    case Attribute::kNodeTaints:
      return sources_.taint_sets.size();
    case Attribute::kNodeDomain:
      return sources_.domains.size(info.key);
    case Attribute::kNodeZone:
      return sources_.domains.size(0);
    default:
      return 0;
  }
}

void NodeTable::order_rows() {
  const std::optional<RowOrder::Move> moved = order_.follow_tree();
  if (!moved) return;
  const Renumbering* by = order_.renumbering(moved->renumbering);
  for (ColumnId id : present_) {
    Column& column = *columns_[id].column;
    // A row's number is where it is.
    if (columns_[id].info.attribute == Attribute::kNodeRow) {
      column.resize(rows());
    } else if (by != nullptr) {
      column.renumber(*by, differ_);
    } else {
      column.permute(moved->first, moved->rows_before, scratch_);
    }
  }
  if (by != nullptr) fill_new_rows(*by);
  log_.append(Table::kNodes, kEveryRow, change::kAll, moved->renumbering);
}

void NodeTable::fill_new_rows(const Renumbering& by) {
  for (const RowShift& shift : by.shifts) {
    if (!shift.comes || row_of(shift.node) == kNoRow) continue;
    const Row row = row_of(shift.node);
    for (ColumnId id : present_) {
      Stored& stored = columns_[id];
      fill(stored.info, *stored.column, row);
      stored.column->touch(row);
    }
  }
}

// When most blocks change, the whole column is marked.
void NodeTable::written(ColumnId id, std::span<const Row> rows) {
  const ColumnInfo& info = columns_[id].info;
  Column& column = *columns_[id].column;
  if (rows.size() >= column.count() / Column::kBlock && rows.size() > 1) {
    column.touch();
    log_.append(Table::kNodes, kEveryRow, info.changes, id);
    return;
  }
  for (Row row : rows) {
    column.touch(row);
    log_.append(Table::kNodes, row, info.changes, id);
  }
}

}  // namespace berth::model
