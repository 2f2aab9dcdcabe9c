#include "engine/model/cluster/cluster.h"

#include "engine/base/assert.h"
#include "engine/model/objects/ephemeral_claim_name.h"

namespace berth::model {

Cluster::Cluster(Arena::Backing backing)
    : arena_(backing),
      catalog_(strings_),
      selectors_(strings_),
      label_selectors_(strings_),
      terms_(label_selectors_, namespaces_),
      selector_owners_(strings_, label_selectors_),
      budgets_(arena_, strings_, label_selectors_, log_),
      taint_sets_(arena_, strings_, log_),
      images_(arena_, strings_, log_),
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

Changes Cluster::put_node(const Node& node, NodeTable::Values* before) {
  NodeTable::Update update = nodes_.difference(node);
  if (update.changes == 0) {
    nodes_.images().put_again(update.slot, nodes_.node(update.slot));
    return 0;
  }
  return put(update, before);
}

Changes Cluster::put_taints(Slot slot, const std::vector<Taint>& taints,
                            NodeTable::Values* before) {
  NodeTable::Update update = nodes_.difference(slot, taints);
  return update.changes == 0 ? 0 : put(update, before);
}

Changes Cluster::put(NodeTable::Update& update, NodeTable::Values* before) {
  const Slot slot = update.slot;
  counts_.node_changes(slot);
  carried_.node_changes(slot);
  if (!nodes_.node(slot).present) see_claims_on(slot, true);
  nodes_.put(update);
  if (before != nullptr) *before = std::move(update.values);
  counts_.node_changed(slot);
  carried_.node_changed(slot);
  changed();
  return update.changes;
}

Labels Cluster::relabel(Slot slot, Labels labels) {
  counts_.node_changes(slot);
  carried_.node_changes(slot);
  Labels former = nodes_.relabel(slot, std::move(labels));
  counts_.node_changed(slot);
  carried_.node_changed(slot);
  changed();
  return former;
}

bool Cluster::remove_node(std::string_view name) {
  StringId id = strings_.find(name);
  Slot slot = id == 0 ? NodeTable::kNoSlot : nodes_.find(id);
  if (slot == NodeTable::kNoSlot || !nodes_.node(slot).present) return false;
  counts_.node_changes(slot);
  carried_.node_changes(slot);
  nodes_.remove(slot);
  see_claims_on(slot, false);
  counts_.node_changed(slot);
  carried_.node_changed(slot);
  changed();
  return true;
}

void Cluster::order_rows() {
  nodes_.follow_images();
  nodes_.order_rows();
  int64_t& count = cluster_nodes_.values<int64_t>()[0];
  if (count == nodes_.rows()) return;
  count = nodes_.rows();
  cluster_nodes_.touch();
  log_.append(Table::kCluster, 0, change::kValue);
}

// Claims are of the pod's namespace, and those of ephemeral volumes have its name and belong to it.
TemplateId Cluster::template_of(const Pod& pod) {
  if (pod.spec.volumes.empty()) return templates_.intern(pod.spec);
  PodSpec spec = pod.spec;
  for (PodVolume& volume : spec.volumes) {
    if (!volume.is_claim) continue;
    volume.namespace_name = pod.namespace_name;
    if (!volume.ephemeral || !volume.owner_name.empty()) continue;
    volume.claim = ephemeral_claim_name(pod.name, volume.claim);
    volume.owner_name = pod.name;
    volume.owner_uid = pod.uid;
  }
  return templates_.intern(spec);
}

void Cluster::use_claims(TemplateId pod, Slot slot, bool add) {
  const bool seen = nodes_.node(slot).present;
  if (seen && !add) see_claims(pod, false);
  const PodTemplate& t = templates_[pod];
  for (size_t i = 0; i < t.claims.size(); ++i)
    volumes_.use(t.claims[i], t.claim_owners[i] != 0, add);
  if (seen && add) see_claims(pod, true);
}

void Cluster::see_claims(TemplateId pod, bool add) {
  const PodTemplate& t = templates_[pod];
  for (size_t i = 0; i < t.claims.size(); ++i)
    if (t.claim_owners[i] == 0) volumes_.see(t.claims[i], add);
}

// The node comes or goes, and its pods stay in its list.
void Cluster::see_claims_on(Slot slot, bool add) {
  for (const PodOnNode& pod : nodes_.pods(slot))
    if (!templates_[pod.pod_template].claims.empty()) see_claims(pod.pod_template, add);
}

PodRecord Cluster::record_of(const Pod& pod) {
  PodRecord record;
  record.pod_template = template_of(pod);
  record.labels = templates_.label_set(pod.spec.labels);
  record.namespace_name = strings_.intern_counted(pod.namespace_name);
  record.name = strings_.intern_counted(pod.name);
  record.uid = strings_.intern_counted(pod.uid);
  if (!pod.nominated_node_name.empty())
    record.nominated_node = strings_.intern_counted(pod.nominated_node_name);
  if (pod.controller) record.controller = templates_.controller(*pod.controller);
  record.priority = templates_[record.pod_template].priority;
  record.terminating = pod.terminating;
  record.preempted = pod.preempted;
  record.ready = pod.ready;
  record.created_at = pod.created_at;
  record.started_at = pod.started_at;
  record.shape = shape(record);
  return record;
}

ShapeId Cluster::shape_of(const PodRecord& pod) {
  return shapes_.of({pod.pod_template, pod.namespace_name, pod.labels, pod.controller});
}

PodId Cluster::find_pod(std::string_view namespace_name, std::string_view name) const {
  const StringId in = strings_.find(namespace_name);
  const StringId id = strings_.find(name);
  return in == 0 || id == 0 ? PodId{} : pods_.find(in, id);
}

PodId Cluster::add_pod(const PodRecord& record) {
  const PodId id = pods_.add(record);
  PodRecord& added = pods_.at(id);
  added.shape = shape(added);
  added.priority = templates_[added.pod_template].priority;
  retain(added);
  return id;
}

void Cluster::retain(const PodRecord& record) {
  shapes_.retain(record.shape);
  strings_.retain(record.name);
  if (record.uid != 0) strings_.retain(record.uid);
  if (record.nominated_node != 0) strings_.retain(record.nominated_node);
}

void Cluster::release(const PodRecord& record) {
  shapes_.release(record.shape);
  strings_.release(record.name);
  if (record.uid != 0) strings_.release(record.uid);
  if (record.nominated_node != 0) strings_.release(record.nominated_node);
}

void Cluster::update_pod(PodId id, const PodRecord& record) {
  const PodRecord before = pods_[id];
  BERTH_ASSERT(before.namespace_name == record.namespace_name && before.name == record.name);
  // One that comes again takes its ports again: a pod that left may have freed those of both.
  const bool stays = before.placed() && before.pod_template == record.pod_template &&
                     templates_[record.pod_template].ports.empty();
  if (before.placed() && !stays) unplace(id);
  if (before.nominated) withdraw_nomination(id);
  PodRecord& row = pods_.at(id);
  row.uid = record.uid;
  row.pod_template = record.pod_template;
  row.labels = record.labels;
  row.controller = record.controller;
  row.nominated_node = record.nominated_node;
  if (record.created_at != 0) row.created_at = record.created_at;
  row.started_at = record.started_at;
  row.terminating = record.terminating;
  row.preempted = record.preempted;
  row.ready = record.ready;
  row.shape = 0;
  row.shape = shape(row);
  retain(row);
  release(before);
  row.priority = templates_[row.pod_template].priority;
  if (stays) replace_placed(id, before);
  if (before.placed() && !stays) place_on(id, before.slot);
  if (before.nominated) nominate(id);
}

void Cluster::remove_pod(PodId id) {
  if (pods_[id].placed()) unplace(id);
  if (pods_[id].nominated) withdraw_nomination(id);
  release(pods_[id]);
  pods_.remove(id);
}

size_t Cluster::unused(Retired what) const {
  return what == Retired::kNames ? strings_.candidates()
                                 : templates_.candidates() + shapes_.candidates();
}

void Cluster::collect(Retired what) {
  if (what == Retired::kNames) {
    strings_.collect();
  } else {
    collect_all();
  }
}

// Derived tables are cleared first, so that they keep nothing; then each table releases what the
// next ones hold; strings are last. Terms of placed pods are learned again at the end: they make
// selectors.
void Cluster::collect_all() {
  counts_.clear();
  carried_.clear();
  topology_.clear();
  shapes_.collect();
  terms_.clear();
  templates_.collect([&](TemplateId id) { nodes_.forget_template(id); });
  nodes_.collect();
  selectors_.collect();
  tolerations_.collect();
  label_selectors_.collect();
  images_.collect();
  taint_sets_.collect();
  catalog_.collect([&](const ColumnInfo& info) { return exists(info); },
                   [&](ColumnId id) {
                     nodes_.drop_column(id);
                     nominated_.drop(id);
                   });
  collect_domains();
  strings_.collect();
  shapes_.context_changed();
  carried_.learn_again();
}

size_t Cluster::unused_cells() const {
  if (shapes_.unused() == 0) return 0;
  const double share = static_cast<double>(shapes_.unused()) / static_cast<double>(shapes_.count());
  return static_cast<size_t>(share * static_cast<double>(cells()));
}

void Cluster::collect_domains() {
  boost::unordered_flat_map<StringId, std::vector<bool>> used;
  nodes_.for_each_domain_column([&](StringId key, std::span<const DomainCode> codes) {
    std::vector<bool>& of_key = used[key];
    of_key.resize(domains_.size(key));
    for (const DomainCode code : codes) of_key[code] = true;
  });
  domains_.collect([&](StringId key, DomainCode code) {
    const auto of_key = used.find(key);
    return of_key != used.end() && of_key->second[code];
  });
}

void Cluster::set_queue_time(PodId id, uint64_t time, uint64_t arrival) {
  PodRecord& pod = pods_.at(id);
  pod.queue_time = time;
  pod.arrival = arrival;
}

void Cluster::set_started_at(PodId id, int64_t nanoseconds) {
  PodRecord& pod = pods_.at(id);
  pod.started_at = nanoseconds;
  if (pod.placed()) nodes_.pod_started(pod.slot);
}

void Cluster::put_pod_group(const PodGroup& object) {
  if (!pod_groups_.put(object)) return;
  pods_.for_each([&](const PodRecord& pod) {
    if (pod.placed()) pod_groups_.pod_comes(pod.namespace_name, templates_.labels(pod.labels));
  });
}

std::vector<PodId> Cluster::pods_on(std::string_view node_name) const {
  std::vector<PodId> pods;
  const Slot slot = nodes_.find(strings_.find(node_name));
  if (slot == kNoSlot) return pods;
  for (const PodOnNode& placed : nodes_.pods(slot)) pods.push_back(placed.pod);
  return pods;
}

void Cluster::nominate(PodId id) {
  PodRecord& pod = pods_.at(id);
  if (pod.nominated_empty) withdraw_nomination(id);
  if (pod.nominated_node == 0 || pod.nominated) return;
  pod.nominated = true;
  carried_.learn(pod.shape);
  nodes_.nominate(nodes_.slot(pod.nominated_node),
                  {{id, pod.pod_template, pod.shape, pod.terminating}, pod.priority});
  nominated_.add({nomination(pod), pod.nominated_node, pod.namespace_name});
}

void Cluster::withdraw_nomination(PodId id) {
  PodRecord& pod = pods_.at(id);
  if (!pod.nominated) return;
  if (pod.nominated_empty) shapes_.release(nomination(pod).pod.shape);
  pod.nominated = pod.nominated_empty = false;
  nodes_.clear_nomination(nodes_.slot(pod.nominated_node), id);
  nominated_.remove(id);
}

void Cluster::set_nominated_node(PodId id, StringId node) {
  PodRecord& pod = pods_.at(id);
  BERTH_ASSERT(!pod.nominated);
  if (node != 0) strings_.retain(node);
  if (pod.nominated_node != 0) strings_.release(pod.nominated_node);
  pod.nominated_node = node;
}

void Cluster::put_namespace(const Namespace& object) {
  const StringId name = strings_.intern_counted(object.name);
  counts_.namespace_changes(name);
  if (namespaces_.put(name, intern_labels(strings_, object.labels))) namespace_changed(name);
}

bool Cluster::remove_namespace(std::string_view name) {
  const StringId id = strings_.find(name);
  if (id == 0) return false;
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
  if (info.attribute == Attribute::kPodContainers) templates_.name_containers();
  if (info.attribute == Attribute::kClusterEpoch) epochs_.make(info.key);
  return column;
}

void Cluster::raise_epoch(ColumnId id) {
  const ColumnInfo& info = catalog_.info(id);
  BERTH_ASSERT(info.attribute == Attribute::kClusterEpoch);
  epochs_.raise(info.key);
  log_.append(Table::kCluster, 0, change::kValue, id);
}

void Cluster::refresh(const ColumnInfo& info) {
  if (info.attribute == Attribute::kNodeCount) counts_.refresh(info.number);
  if (info.attribute == Attribute::kNodeCarried) carried_.refresh(info.number);
}

bool Cluster::lags(const ColumnInfo& info) const {
  return (info.attribute == Attribute::kNodeCount && counts_.lags(info.number)) ||
         (info.attribute == Attribute::kNodeCarried && carried_.lags(info.number));
}

// True if the query, selector or set that this column refers to exists.
bool Cluster::exists(const ColumnInfo& info) const {
  switch (info.attribute) {
    case Attribute::kNodeMatches:
      return selectors_.contains(info.number);
    case Attribute::kNodeTolerated:
      return tolerations_.contains(info.number);
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
    case Attribute::kEventMatches:
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
    case Table::kBudgets:
      return budgets_.allowed();
    case Table::kNominated:
      return nominated_column(id, info);
    case Table::kCounts:
      return count_column(info);
    default:
      BERTH_ASSERT(info.table == Table::kCluster &&
                   "a column of pods is gathered, see pod_columns.h");
      return info.attribute == Attribute::kClusterEpoch ? epochs_.column(info.key) : cluster_nodes_;
  }
}

const Column& Cluster::nominated_column(ColumnId id, const ColumnInfo& info) {
  if (!nominated_.used()) {
    nominated_.use();
    for (const Slot slot : nodes_.nominations().slots())
      for (const Nomination& one : nodes_.nominations().at(slot))
        nominated_.add({one, nodes_.node(slot).name, pods_[one.pod.pod].namespace_name});
  }
  return nominated_.column(id, info);
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
