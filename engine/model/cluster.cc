#include "engine/model/cluster.h"

#include "engine/base/assert.h"

namespace berth::model {

Cluster::Cluster(Arena::Backing backing)
    : arena_(backing),
      catalog_(strings_),
      selectors_(strings_),
      taint_sets_(arena_, strings_, log_),
      images_(arena_, log_),
      templates_(strings_, selectors_, images_),
      nodes_(arena_, strings_, selectors_, images_, taint_sets_, templates_, log_),
      cluster_nodes_(arena_, BERTH_I64, false) {
  cluster_nodes_.resize(1);
}

void Cluster::put_node(const Node& node) { nodes_.put(node); }

bool Cluster::remove_node(std::string_view name) {
  StringId id = strings_.find(name);
  Slot slot = id == 0 ? NodeTable::kNoSlot : nodes_.find(id);
  if (slot == NodeTable::kNoSlot || !nodes_.node(slot).present) return false;
  nodes_.remove(slot);
  return true;
}

void Cluster::order_rows() {
  nodes_.order_rows();
  int64_t& count = cluster_nodes_.values<int64_t>()[0];
  if (count == nodes_.rows()) return;
  count = nodes_.rows();
  cluster_nodes_.touch();
  log_.append(Table::kCluster, 0, change::kValue);
}

PodRef Cluster::refer(const Pod& pod) {
  PodRef ref;
  ref.pod_template = templates_.intern(pod.spec);
  ref.labels = templates_.label_set(pod.spec.labels);
  ref.namespace_name = strings_.intern(pod.namespace_name);
  ref.name = strings_.intern(pod.name);
  ref.uid = strings_.intern(pod.uid);
  if (!pod.nominated_node_name.empty())
    ref.nominated_node = strings_.intern(pod.nominated_node_name);
  return ref;
}

bool Cluster::place(const PodRef& pod, std::string_view node_name) {
  if (is_placed(pod.namespace_name, pod.name)) return false;
  place_on(pod, nodes_.slot(strings_.intern(node_name)));
  return true;
}

void Cluster::place(const PodRef& pod, Row row) {
  BERTH_ASSERT(!is_placed(pod.namespace_name, pod.name));
  place_on(pod, nodes_.slot_of(row));
}

void Cluster::place_on(const PodRef& pod, Slot slot) {
  uint32_t index = static_cast<uint32_t>(placed_.size());
  if (free_.empty()) {
    placed_.emplace_back();
  } else {
    index = free_.back();
    free_.pop_back();
  }
  placed_[index] = {pod.namespace_name, pod.name, slot,
                    nodes_.add_pod(slot, {index, pod.pod_template})};
  placed_by_name_[key(pod.namespace_name, pod.name)] = index;
}

uint32_t Cluster::find_placed(StringId namespace_name, StringId name) const {
  auto at = placed_by_name_.find(key(namespace_name, name));
  return at == placed_by_name_.end() ? kNotPlaced : at->second;
}

bool Cluster::is_placed(StringId namespace_name, StringId name) const {
  return find_placed(namespace_name, name) != kNotPlaced;
}

Slot Cluster::placed_on(StringId namespace_name, StringId name) const {
  const uint32_t index = find_placed(namespace_name, name);
  return index == kNotPlaced ? NodeTable::kNoSlot : placed_[index].slot;
}

bool Cluster::remove_pod(StringId namespace_name, StringId name) {
  const uint32_t index = find_placed(namespace_name, name);
  if (index == kNotPlaced) return false;
  placed_by_name_[key(namespace_name, name)] = kNotPlaced;
  Placed gone = placed_[index];
  uint32_t moved = nodes_.remove_pod(gone.slot, gone.position);
  if (moved != NodeTable::kNoHolder) placed_[moved].position = gone.position;
  free_.push_back(index);
  return true;
}

void Cluster::nominate(const PodRef& pod) {
  if (pod.nominated_node == 0) return;
  nodes_.nominate(nodes_.slot(pod.nominated_node), {pod, templates_[pod.pod_template].priority});
}

void Cluster::forget_nomination(const PodRef& pod) {
  if (pod.nominated_node == 0) return;
  nodes_.forget_nomination(nodes_.slot(pod.nominated_node), pod);
}

void Cluster::put_namespace(const Namespace& object) {
  namespaces_[strings_.intern(object.name)] = intern_labels(strings_, object.labels);
}

bool Cluster::remove_namespace(std::string_view name) {
  return namespaces_.erase(strings_.find(name)) != 0;
}

ColumnId Cluster::find_column(std::string_view id) {
  ColumnId column = catalog_.find(id);
  if (column == 0) return 0;
  const ColumnInfo& info = catalog_.info(column);
  if (info.attribute == Attribute::kNodeMatches && info.selector > selectors_.count()) return 0;
  if (info.table == Table::kNodes) nodes_.column(column, info);
  return column;
}

const Column& Cluster::column(ColumnId id) {
  const ColumnInfo& info = catalog_.info(id);
  switch (info.table) {
    case Table::kNodes:
      return nodes_.column(id, info);
    case Table::kTaintSets:
      return taint_sets_.column(info.attribute);
    case Table::kImages:
      return images_.nodes();
    default:
      BERTH_ASSERT(info.table == Table::kCluster &&
                   "a column of pods is gathered, see pod_columns.h");
      return cluster_nodes_;
  }
}

}  // namespace berth::model
