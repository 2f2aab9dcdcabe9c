#include "engine/model/cluster/node_table.h"

#include <algorithm>

#include "engine/base/assert.h"
#include "engine/model/objects/names.h"

namespace berth::model {
namespace {

bool accounted(std::string_view resource) {
  return resource == "cpu" || resource == "memory" || resource == "ephemeral-storage" ||
         resource == "pods" || is_scalar_resource(resource);
}

Amounts interned(Strings& strings, const ResourceList& list) {
  Amounts amounts;
  for (const auto& [name, quantity] : list)
    if (accounted(name))
      amounts.emplace_back(strings.intern(name), resource_amount(name, quantity));
  return amounts;
}

// Sums wrap as they do upstream, and so that taking a pod away always restores what was.
int64_t wrapping_add(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

}  // namespace

NodeTable::NodeTable(Arena& arena, const Sources& sources, ChangeLog& log)
    : arena_(arena),
      strings_(sources.strings),
      selectors_(sources.selectors),
      tolerations_(sources.tolerations),
      images_(sources.images),
      taint_sets_(sources.taint_sets),
      domains_(sources.domains),
      templates_(sources.templates),
      log_(log),
      cpu_(sources.strings.intern("cpu")),
      memory_(sources.strings.intern("memory")) {}

Slot NodeTable::slot(StringId name) {
  auto [at, fresh] = slots_by_name_.try_emplace(name, static_cast<Slot>(nodes_.size()));
  if (fresh) {
    nodes_.emplace_back().name = name;
    ordered_.push_back(false);
  }
  return at->second;
}

Slot NodeTable::find(StringId name) const {
  auto at = slots_by_name_.find(name);
  return at == slots_by_name_.end() ? kNoSlot : at->second;
}

void NodeTable::put(const model::Node& object) {
  Slot slot = this->slot(strings_.intern(object.name));
  Node& node = nodes_[slot];
  std::string zone = zone_key(object.labels);
  if (node.present && node.zone != zone) tree_.remove(slot, node.zone);
  if (!node.present || node.zone != zone) tree_.add(slot, zone);
  if (!node.present) order_stale_ = true;
  node.present = true;
  node.zone = std::move(zone);
  node.labels = intern_labels(strings_, object.labels);
  node.annotations = intern_labels(strings_, object.annotations);
  node.unschedulable = object.unschedulable;
  node.taint_set = taint_sets_.code(object.taints);
  node.allocatable = interned(strings_, object.allocatable);
  drop_images(node);
  take_images(node, object);
  if (node.row == kNoRow) {
    node.row = rows();
    slots_.push_back(slot);
    for (ColumnId id : present_) columns_[id].column->resize(rows());
  }
  for (ColumnId id : present_)
    if (columns_[id].info.attribute == Attribute::kNodeTaints)
      columns_[id].column->set_dictionary_size(taint_sets_.size());
  fill_row(slot, change::kAll);
}

void NodeTable::remove(Slot slot) {
  Node& node = nodes_[slot];
  BERTH_ASSERT(node.present);
  tree_.remove(slot, node.zone);
  drop_images(node);
  node.present = false;
  order_stale_ = true;
}

bool NodeTable::order_changed() const {
  if (tree_.size() != ordered_count_) return true;
  for (Slot slot = 0; slot < nodes_.size(); ++slot)
    if (nodes_[slot].present && !ordered_[slot]) return true;
  return false;
}

void NodeTable::order_rows() {
  if (!order_stale_) return;
  order_stale_ = false;
  if (!order_changed()) {
    drop_new_rows();
    return;
  }

  std::vector<Slot> order = tree_.order();
  std::vector<uint32_t> rows_before;
  rows_before.reserve(order.size());
  for (Slot slot : order) rows_before.push_back(nodes_[slot].row);
  for (ColumnId id : present_) columns_[id].column->permute(rows_before);
  for (Slot slot : slots_) nodes_[slot].row = kNoRow;
  std::fill(ordered_.begin(), ordered_.end(), false);
  slots_ = std::move(order);
  for (Row row = 0; row < rows(); ++row) {
    nodes_[slots_[row]].row = row;
    ordered_[slots_[row]] = true;
  }
  ordered_count_ = slots_.size();
  for (ColumnId id : present_)
    if (columns_[id].info.attribute == Attribute::kNodeRow)
      for (Row row = 0; row < rows(); ++row) columns_[id].column->values<uint32_t>()[row] = row;
  log_.append(Table::kNodes, kEveryRow, change::kAll);
}

void NodeTable::drop_new_rows() {
  if (rows() == ordered_count_) return;
  for (size_t row = ordered_count_; row < slots_.size(); ++row) nodes_[slots_[row]].row = kNoRow;
  slots_.resize(ordered_count_);
  for (ColumnId id : present_) {
    columns_[id].column->resize(rows());
    columns_[id].column->touch();
  }
  log_.append(Table::kNodes, kEveryRow, change::kAll);
}

uint32_t NodeTable::add_pod(Slot slot, PodOnNode pod) {
  nodes_[slot].pods.push_back(pod);
  count(slot, pod.pod_template, 1);
  return static_cast<uint32_t>(nodes_[slot].pods.size() - 1);
}

PodId NodeTable::remove_pod(Slot slot, uint32_t position) {
  auto& pods = nodes_[slot].pods;
  BERTH_ASSERT(position < pods.size());
  TemplateId removed = pods[position].pod_template;
  bool last = position + 1 == pods.size();
  pods[position] = pods.back();
  pods.pop_back();
  count(slot, removed, -1);
  return last ? PodId{} : pods[position].pod;
}

void NodeTable::count(Slot slot, TemplateId pod, int64_t sign) {
  Node& node = nodes_[slot];
  const Effects& effect = effects(pod);
  if (!templates_[pod].ports.empty()) count_ports(node, pod, sign > 0);
  if (node.row == kNoRow) return;
  for (const auto& [column, amount] : effect.amounts) {
    int64_t& sum = column->values<int64_t>()[node.row];
    sum = wrapping_add(sum, sign < 0 ? wrapping_add(0, -amount) : amount);
    column->touch(node.row);
  }
  log_.append(Table::kNodes, node.row, effect.changes);
}

// Ports in use are a set: of two pods with one port the first that leaves frees it, as upstream.
void NodeTable::count_ports(Node& node, TemplateId pod, bool add) {
  for (uint64_t port : templates_[pod].ports) {
    auto at = std::find(node.ports.begin(), node.ports.end(), port);
    if (add && at == node.ports.end()) node.ports.push_back(port);
    if (!add && at != node.ports.end()) node.ports.erase(at);
  }
  if (ports_column_ == nullptr || node.row == kNoRow) return;
  ports_column_->set_list<uint64_t>(node.row, node.ports);
  ports_column_->touch(node.row);
}

const NodeTable::Effects& NodeTable::effects(TemplateId pod) {
  if (pod >= effects_.size()) effects_.resize(templates_.size());
  Effects& effect = effects_[pod];
  if (effect.version == effects_version_) return effect;
  const PodTemplate& t = templates_[pod];
  effect.version = effects_version_;
  effect.amounts.clear();
  effect.changes = change::kPods | change::kNonzero | (t.ports.empty() ? 0 : change::kPorts);
  if (pods_column_ != nullptr) effect.amounts.emplace_back(pods_column_, 1);
  if (nonzero_cpu_column_ != nullptr)
    effect.amounts.emplace_back(nonzero_cpu_column_, t.nonzero_milli_cpu);
  if (nonzero_memory_column_ != nullptr)
    effect.amounts.emplace_back(nonzero_memory_column_, t.nonzero_memory);
  for (ColumnId id : present_) {
    const ColumnInfo& info = columns_[id].info;
    if (info.attribute != Attribute::kNodeRequested) continue;
    int64_t value = amount_of(t.accounted, info.key);
    if (value == 0) continue;
    effect.amounts.emplace_back(columns_[id].column.get(), value);
    effect.changes |= info.changes;
  }
  return effect;
}

void NodeTable::nominate(Slot slot, const Nomination& nomination) {
  if (nodes_[slot].nominated.empty()) nominated_slots_.push_back(slot);
  nodes_[slot].nominated.push_back(nomination);
}

void NodeTable::clear_nomination(Slot slot, PodId pod) {
  auto& nominated = nodes_[slot].nominated;
  const size_t cleared =
      std::erase_if(nominated, [&](const Nomination& other) { return other.pod.pod == pod; });
  if (cleared != 0 && nominated.empty()) std::erase(nominated_slots_, slot);
}

const Column& NodeTable::column(ColumnId id, const ColumnInfo& info) {
  if (id >= columns_.size()) columns_.resize(id + 1);
  if (!columns_[id].column) make(id, info);
  return *columns_[id].column;
}

void NodeTable::drop_column(ColumnId id) {
  const Attribute attribute = columns_[id].info.attribute;
  BERTH_ASSERT(attribute == Attribute::kNodeCount || attribute == Attribute::kNodeCarried);
  columns_[id].column.reset();
  std::erase(present_, id);
}

Column& NodeTable::make(ColumnId id, const ColumnInfo& info) {
  columns_[id] = {std::make_unique<Column>(arena_, info.type, info.list), info};
  Column& column = *columns_[id].column;
  column.resize(rows());
  present_.push_back(id);
  if (info.attribute == Attribute::kNodeTaints) column.set_dictionary_size(taint_sets_.size());
  if (info.attribute == Attribute::kNodePods) pods_column_ = &column;
  if (info.attribute == Attribute::kNodePorts) ports_column_ = &column;
  if (info.attribute == Attribute::kNodeNonzeroRequested)
    (info.key == cpu_ ? nonzero_cpu_column_ : nonzero_memory_column_) = &column;
  ++effects_version_;
  for (Row row = 0; row < rows(); ++row) fill(info, column, row);
  return column;
}

void NodeTable::fill_row(Slot slot, Changes changes) {
  Row row = nodes_[slot].row;
  for (ColumnId id : present_) {
    fill(columns_[id].info, *columns_[id].column, row);
    columns_[id].column->touch(row);
  }
  log_.append(Table::kNodes, row, changes);
}

int64_t NodeTable::requested(const Node& node, StringId resource) const {
  int64_t sum = 0;
  for (const PodOnNode& pod : node.pods)
    sum = wrapping_add(sum, amount_of(templates_[pod.pod_template].accounted, resource));
  return sum;
}

int64_t NodeTable::nonzero(const Node& node, StringId resource) const {
  int64_t sum = 0;
  for (const PodOnNode& pod : node.pods) {
    const PodTemplate& t = templates_[pod.pod_template];
    sum = wrapping_add(sum, resource == cpu_ ? t.nonzero_milli_cpu : t.nonzero_memory);
  }
  return sum;
}

void NodeTable::fill(const ColumnInfo& info, Column& column, Row row) {
  const Node& node = nodes_[slots_[row]];
  switch (info.attribute) {
    case Attribute::kNodeRow:
      column.values<uint32_t>()[row] = row;
      return;
    case Attribute::kNodeName:
      column.values<uint32_t>()[row] = node.name;
      return;
    case Attribute::kNodeUnschedulable:
      column.values<uint8_t>()[row] = node.unschedulable;
      return;
    case Attribute::kNodeLabel:
      column.values<uint32_t>()[row] = label_value(node.labels, info.key);
      return;
    case Attribute::kNodeTaints:
      column.values<uint32_t>()[row] = node.taint_set;
      return;
    case Attribute::kNodeAllocatable:
      column.values<int64_t>()[row] = amount_of(node.allocatable, info.key);
      return;
    case Attribute::kNodeRequested:
      column.values<int64_t>()[row] = requested(node, info.key);
      return;
    case Attribute::kNodeNonzeroRequested:
      column.values<int64_t>()[row] = nonzero(node, info.key);
      return;
    case Attribute::kNodePods:
      column.values<int64_t>()[row] = static_cast<int64_t>(node.pods.size());
      return;
    case Attribute::kNodePorts:
      column.set_list<uint64_t>(row, node.ports);
      return;
    case Attribute::kNodeImages:
      column.set_list<uint32_t>(row, node.images);
      return;
    case Attribute::kNodeImageSizes:
      column.set_list<int64_t>(row, node.image_sizes);
      return;
    case Attribute::kNodeMatches:
      column.values<uint8_t>()[row] = selectors_.matches(info.number, node.labels, node.name);
      return;
    case Attribute::kNodeHasLabel:
      column.values<uint8_t>()[row] = label_value(node.labels, info.key) != 0;
      return;
    case Attribute::kNodeDomain:
      return fill_domain(column, row, info.key, label_value(node.labels, info.key));
    case Attribute::kNodeZone:
      return fill_domain(column, row, 0, node.zone.empty() ? 0 : strings_.intern(node.zone));
    case Attribute::kNodeTolerated:
      column.values<uint8_t>()[row] =
          tolerations_.tolerate(info.number, taint_sets_.taints(node.taint_set));
      return;
    case Attribute::kNodeAnnotation:
      column.values<uint32_t>()[row] = label_value(node.annotations, info.key);
      return;
    case Attribute::kNodeCount:
      column.values<int64_t>()[row] = counts_->at_node(info.number, slots_[row]);
      return;
    case Attribute::kNodeCarried:
      column.values<int64_t>()[row] = carried_->at_node(info.number, slots_[row]);
      return;
    default:
      BERTH_ASSERT(false && "not a column of nodes");
  }
}

// Zones are the domains of no key.
void NodeTable::fill_domain(Column& column, Row row, StringId key, StringId value) {
  column.values<uint32_t>()[row] = value == 0 ? 0 : domains_.code(key, value);
  column.set_dictionary_size(domains_.size(key));
}

// Of so many rows that most blocks have one, it is not told which.
void NodeTable::written(const ColumnInfo& info, Column& column, std::span<const Row> rows) {
  if (rows.size() >= column.count() / Column::kBlock && rows.size() > 1) {
    column.touch();
    log_.append(Table::kNodes, kEveryRow, info.changes);
    return;
  }
  for (Row row : rows) {
    column.touch(row);
    log_.append(Table::kNodes, row, info.changes);
  }
}

// An image that is listed twice counts once; its last size is the one that counts.
void NodeTable::take_images(Node& node, const model::Node& object) {
  for (const NodeImage& image : object.images)
    for (const std::string& name : image.names) {
      uint32_t code = images_.code(strings_.intern(name));
      auto at = std::find(node.images.begin(), node.images.end(), code);
      if (at != node.images.end()) {
        node.image_sizes[static_cast<size_t>(at - node.images.begin())] = image.size_bytes;
        continue;
      }
      node.images.push_back(code);
      node.image_sizes.push_back(image.size_bytes);
      images_.add_node(code);
    }
}

void NodeTable::drop_images(Node& node) {
  for (uint32_t code : node.images) images_.remove_node(code);
  node.images.clear();
  node.image_sizes.clear();
}

}  // namespace berth::model
