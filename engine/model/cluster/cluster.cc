#include "engine/model/cluster/cluster.h"

#include "engine/base/assert.h"

namespace berth::model {

Cluster::Cluster(Arena::Backing backing)
    : arena_(backing),
      catalog_(strings_),
      selectors_(strings_),
      label_selectors_(strings_),
      terms_(label_selectors_, namespaces_),
      selector_owners_(strings_, label_selectors_),
      taint_sets_(arena_, strings_, log_),
      images_(arena_, log_),
      templates_(strings_, selectors_, tolerations_, images_),
      shapes_(strings_, templates_, label_selectors_, terms_, selector_owners_),
      nodes_(arena_,
             {strings_, selectors_, tolerations_, images_, taint_sets_, domains_, templates_},
             log_),
      topology_(nodes_, catalog_, strings_, domains_),
      counts_(arena_, nodes_, catalog_, strings_, domains_, topology_, shapes_, terms_, log_),
      carried_(arena_, nodes_, catalog_, topology_, shapes_, terms_, log_),
      cluster_nodes_(arena_, BERTH_I64, false) {
  cluster_nodes_.resize(1);
  nodes_.set_counts(counts_, carried_);
}

Changes Cluster::put_node(const Node& node) {
  NodeTable::Update update = nodes_.difference(node);
  const Changes changes = update.changes;
  if (changes == 0) return 0;
  const Slot slot = update.slot;
  counts_.node_changes(slot);
  carried_.node_changes(slot);
  nodes_.put(std::move(update));
  counts_.node_changed(slot);
  carried_.node_changed(slot);
  changed();
  return changes;
}

bool Cluster::remove_node(std::string_view name) {
  StringId id = strings_.find(name);
  Slot slot = id == 0 ? NodeTable::kNoSlot : nodes_.find(id);
  if (slot == NodeTable::kNoSlot || !nodes_.node(slot).present) return false;
  counts_.node_changes(slot);
  carried_.node_changes(slot);
  nodes_.remove(slot);
  counts_.node_changed(slot);
  carried_.node_changed(slot);
  changed();
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

PodRecord Cluster::refer(const Pod& pod) {
  PodRecord ref;
  ref.pod_template = templates_.intern(pod.spec);
  ref.labels = templates_.label_set(pod.spec.labels);
  ref.namespace_name = strings_.intern(pod.namespace_name);
  ref.name = strings_.intern(pod.name);
  ref.uid = strings_.intern(pod.uid);
  if (!pod.nominated_node_name.empty())
    ref.nominated_node = strings_.intern(pod.nominated_node_name);
  if (pod.controller) ref.controller = templates_.controller(*pod.controller);
  ref.terminating = pod.terminating;
  ref.shape = shape(ref);
  return ref;
}

ShapeId Cluster::shape(const PodRecord& pod) {
  if (pod.shape != 0) return pod.shape;
  return shapes_.of({pod.pod_template, pod.namespace_name, pod.labels, pod.controller});
}

bool Cluster::place(const PodRecord& pod, std::string_view node_name) {
  if (is_placed(pod.namespace_name, pod.name)) return false;
  place_on(pod, nodes_.slot(strings_.intern(node_name)));
  return true;
}

void Cluster::place(const PodRecord& pod, Row row) {
  BERTH_ASSERT(!is_placed(pod.namespace_name, pod.name));
  place_on(pod, nodes_.slot_of(row));
}

void Cluster::place_on(const PodRecord& pod, Slot slot) {
  uint32_t index = static_cast<uint32_t>(placed_.size());
  if (free_.empty()) {
    placed_.emplace_back();
  } else {
    index = free_.back();
    free_.pop_back();
  }
  const PodOnNode on_node{index, pod.pod_template, shape(pod), pod.terminating};
  placed_[index] = {pod.namespace_name, pod.name, slot, nodes_.add_pod(slot, on_node)};
  placed_by_name_[key(pod.namespace_name, pod.name)] = index;
  counts_.pod_comes(slot, on_node);
  carried_.pod_comes(slot, on_node);
  changed();
}

std::vector<PodRecord> Cluster::pods_on(std::string_view node_name) const {
  std::vector<PodRecord> pods;
  const Slot slot = nodes_.find(strings_.find(node_name));
  if (slot == NodeTable::kNoSlot) return pods;
  for (const PodOnNode& placed : nodes_.node(slot).pods) {
    const PodShape& shape = shapes_[placed.shape];
    PodRecord pod;
    pod.pod_template = placed.pod_template;
    pod.labels = shape.labels;
    pod.namespace_name = placed_[placed.holder].namespace_name;
    pod.name = placed_[placed.holder].name;
    pod.controller = shape.controller;
    pod.shape = placed.shape;
    pod.terminating = placed.terminating;
    pods.push_back(pod);
  }
  return pods;
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
  const PodOnNode on_node = nodes_.node(gone.slot).pods[gone.position];
  counts_.pod_goes(gone.slot, on_node);
  carried_.pod_goes(gone.slot, on_node);
  uint32_t moved = nodes_.remove_pod(gone.slot, gone.position);
  if (moved != NodeTable::kNoHolder) placed_[moved].position = gone.position;
  free_.push_back(index);
  changed();
  return true;
}

void Cluster::nominate(const PodRecord& pod) {
  if (pod.nominated_node == 0) return;
  Nomination nomination{pod, templates_[pod.pod_template].priority};
  nomination.pod.shape = shape(pod);
  carried_.learn(nomination.pod.shape);
  nodes_.nominate(nodes_.slot(pod.nominated_node), nomination);
}

void Cluster::forget_nomination(const PodRecord& pod) {
  if (pod.nominated_node == 0) return;
  nodes_.forget_nomination(nodes_.slot(pod.nominated_node), pod);
}

void Cluster::put_namespace(const Namespace& object) {
  const StringId name = strings_.intern(object.name);
  counts_.namespace_changes(name);
  if (namespaces_.put(name, intern_labels(strings_, object.labels))) namespace_changed(name);
}

bool Cluster::remove_namespace(std::string_view name) {
  const StringId id = strings_.find(name);
  counts_.namespace_changes(id);
  if (!namespaces_.remove(id)) return false;
  namespace_changed(id);
  return true;
}

void Cluster::namespace_changed(StringId name) {
  shapes_.context_changed();
  carried_.namespace_changed();
  counts_.namespace_changed(name);
  changed();
}

void Cluster::put_selector_owner(const SelectorOwner& object) {
  if (selector_owners_.put(object)) shapes_.context_changed();
}

bool Cluster::remove_selector_owner(SelectorOwnerKind kind, std::string_view namespace_name,
                                    std::string_view name) {
  if (!selector_owners_.remove(kind, namespace_name, name)) return false;
  shapes_.context_changed();
  return true;
}

void Cluster::verify_counts() const {
  counts_.verify();
  carried_.verify();
}

// A recount costs all pods for each query: in clusters of some size it follows so many changes that
// the whole stays linear.
void Cluster::changed() {
#ifndef NDEBUG
  constexpr uint64_t kCheap = 10'000;
  const uint64_t cost = placed_pods() * (counts_.count() + carried_.match_sets());
  if (cost == 0 || ++changes_ < 1 + cost / kCheap) return;
  changes_ = 0;
  verify_counts();
#endif
}

ColumnId Cluster::find_column(std::string_view id) {
  ColumnId column = catalog_.find(id);
  if (column == 0 || !exists(catalog_.info(column))) return 0;
  const ColumnInfo& info = catalog_.info(column);
  if (info.attribute == Attribute::kNodeCount) return counts_.row_column(info.number);
  if (info.attribute == Attribute::kNodeCarried) return carried_.row_column(info.number);
  if (info.table == Table::kNodes) nodes_.column(column, info);
  return column;
}

void Cluster::refresh(const ColumnInfo& info) {
  if (info.attribute == Attribute::kNodeCount) counts_.refresh(info.number);
  if (info.attribute == Attribute::kNodeCarried) carried_.refresh(info.number);
}

// Whether what the number of a family's member stands for exists.
bool Cluster::exists(const ColumnInfo& info) const {
  switch (info.attribute) {
    case Attribute::kNodeMatches:
      return info.number <= selectors_.count();
    case Attribute::kNodeTolerated:
      return info.number <= tolerations_.count();
    case Attribute::kNodeCount:
    case Attribute::kCountTotal:
    case Attribute::kCountMinimum:
    case Attribute::kCountDomains:
      return info.number <= counts_.count();
    case Attribute::kCount:
      return info.number <= counts_.count() && counts_[info.number].key != 0;
    case Attribute::kNodeCarried:
    case Attribute::kCarriers:
      return info.number <= carried_.match_sets();
    case Attribute::kPodCarried:
      return info.number <= carried_.classes();
    case Attribute::kPodMatches:
      return info.number <= terms_.count();
    default:
      return true;
  }
}

const Column& Cluster::column(ColumnId id) {
  const ColumnInfo& info = catalog_.info(id);
  switch (info.table) {
    case Table::kNodes:
      refresh(info);
      return nodes_.column(id, info);
    case Table::kTaintSets:
      return taint_sets_.column(info.attribute);
    case Table::kImages:
      return images_.nodes();
    case Table::kCounts:
      return count_column(info);
    default:
      BERTH_ASSERT(info.table == Table::kCluster &&
                   "a column of pods is gathered, see pod_columns.h");
      return cluster_nodes_;
  }
}

const Column& Cluster::count_column(const ColumnInfo& info) const {
  switch (info.attribute) {
    case Attribute::kCount:
      return counts_.tally(info.number).counts();
    case Attribute::kCountTotal:
      return counts_.tally(info.number).total();
    case Attribute::kCountMinimum:
      return counts_.tally(info.number).minimum();
    case Attribute::kCountDomains:
      return counts_.tally(info.number).domains();
    default:
      BERTH_ASSERT(info.attribute == Attribute::kCarriers);
      return carried_.carriers(info.number);
  }
}

}  // namespace berth::model
