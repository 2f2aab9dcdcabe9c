#include "engine/model/cluster/node_table.h"

#include <algorithm>

#include "engine/base/assert.h"
#include "engine/base/saturate.h"
#include "engine/model/objects/names.h"

namespace berth::model {
namespace {

bool accounted(std::string_view resource) {
  return resource == "cpu" || resource == "memory" || resource == "ephemeral-storage" ||
         resource == "pods" || is_scalar_resource(resource);
}

Amounts interned(Strings& strings, const ResourceList& list) {
  Amounts amounts;
  amounts.reserve(list.size());
  for (const auto& [name, quantity] : list)
    if (accounted(name))
      amounts.emplace_back(strings.intern_counted(name), resource_amount(name, quantity));
  const auto by_name = [](const auto& a, const auto& b) { return a.first < b.first; };
  // Names are mostly known in this order already, and sorting takes memory for its work.
  if (!std::is_sorted(amounts.begin(), amounts.end(), by_name))
    std::stable_sort(amounts.begin(), amounts.end(), by_name);
  return amounts;
}

}  // namespace

NodeTable::NodeTable(Arena& arena, const Sources& sources, ChangeLog& log)
    : arena_(arena),
      sources_(sources),
      log_(log),
      cpu_(sources.strings.intern("cpu")),
      rare_(sources.strings),
      images_(sources.images),
      names_(sources.strings) {}

Slot NodeTable::slot(StringId name) {
  const auto [slot, fresh] = names_.add(name);
  if (!fresh) return slot;
  if (slot == nodes_.size()) {
    nodes_.emplace_back();
    order_.add_slot();
    pods_.emplace_back();
    images_.add_slot();
  }
  nodes_[slot].name = name;
  return slot;
}

void NodeTable::collect() {
  removed_ = 0;
  for (Slot slot = 0; slot < slots(); ++slot) {
    Node& node = nodes_[slot];
    if (node.name == 0 || node.present || row_of(slot) != kNoRow || !pods_[slot].empty() ||
        nominations_.any(slot))
      continue;
    if (node.retains) release(node);
    names_.retire(slot, node.name);
    node = {};
    pods_[slot] = {};
  }
  // Pods may request amounts whose sum wraps around to 0.
  rare_.keep([&](StringId resource, Slot slot) {
    return amount_of(nodes_[slot].allocatable, resource) != 0 ||
           std::ranges::any_of(pods_[slot], [&](const PodOnNode& pod) {
             return amount_of(sources_.templates[pod.pod_template].accounted, resource) != 0;
           });
  });
}

NodeTable::Values NodeTable::values_of(const model::Node& object) {
  Values values;
  values.zone = zone_key(object.labels);
  values.labels = intern_labels(sources_.strings, object.labels);
  values.annotations = intern_labels(sources_.strings, object.annotations);
  values.unschedulable = object.unschedulable;
  values.taint_set = sources_.taint_sets.code(object.taints);
  values.allocatable = interned(sources_.strings, object.allocatable);
  images_.take(values, object);
  return values;
}

void NodeTable::retain(const Values& values) {
  model::retain(sources_.strings, values.labels);
  model::retain(sources_.strings, values.annotations);
  for (const auto& [name, amount] : values.allocatable) sources_.strings.retain(name);
  sources_.taint_sets.retain(values.taint_set);
  for (const uint32_t image : values.images) sources_.images.retain(image);
}

void NodeTable::release(const Values& values) {
  model::release(sources_.strings, values.labels);
  model::release(sources_.strings, values.annotations);
  for (const auto& [name, amount] : values.allocatable) sources_.strings.release(name);
  sources_.taint_sets.release(values.taint_set);
  for (const uint32_t image : values.images) sources_.images.release(image);
}

NodeTable::Update NodeTable::difference(const model::Node& object) {
  Update update{slot(sources_.strings.intern_counted(object.name)), values_of(object),
                change::kAll};
  const Node& known = nodes_[update.slot];
  if (!known.present) return update;
  const Values& values = update.values;
  update.changes = 0;
  auto compare = [&](bool same, Changes changes) { update.changes |= same ? 0 : changes; };
  compare(known.labels == values.labels, change::kLabels);
  compare(known.annotations == values.annotations, change::kAnnotations);
  compare(known.unschedulable == values.unschedulable, change::kUnschedulable);
  compare(known.taint_set == values.taint_set, change::kTaints);
  compare(known.allocatable == values.allocatable, change::kAllocatable);
  compare(known.images == values.images && known.image_sizes == values.image_sizes,
          change::kImages);
  return update;
}

void NodeTable::put(Update& update) {
  if (update.changes == 0) return;
  Node& node = nodes_[update.slot];
  if (!node.present) {
    order_.add(update.slot, update.values.zone);
    node.present = true;
  } else if (node.zone != update.values.zone) {
    order_.move(update.slot, node.zone, update.values.zone);
  }
  images_.count(node, update.values);
  retain(update.values);
  if (node.retains) release(node);
  node.retains = true;
  std::swap(static_cast<Values&>(node), update.values);
  for (const auto& [resource, amount] : node.allocatable)
    if (amount != 0 && rare_.is_rare(resource)) rare_.note(resource, update.slot);
  images_.put(update.slot, node, (update.changes & change::kImages) != 0);
  if (taints_column_ != nullptr) taints_column_->set_dictionary_size(sources_.taint_sets.size());
  if (row_of(update.slot) == kNoRow) {
    add_row(update.slot);
  } else {
    fill_row(update.slot, update.changes);
  }
}

Labels NodeTable::relabel(Slot slot, Labels labels) {
  Node& node = nodes_[slot];
  BERTH_ASSERT(node.present);
  model::retain(sources_.strings, labels);
  std::swap(node.labels, labels);
  model::release(sources_.strings, labels);
  fill_row(slot, change::kLabels);
  return labels;
}

// Adds a row after all others. Its block gets one row more, and therefore a new generation in every
// column.
void NodeTable::add_row(Slot slot) {
  const Row row = order_.append(slot);
  for (ColumnId id : present_) {
    Stored& stored = columns_[id];
    stored.column->resize(rows());
    fill(stored.info, *stored.column, row);
    stored.column->touch(row);
  }
  log_.append(Table::kNodes, row, change::kAll);
}

// Counts of pods are by domain, and a node's domains are labels.
void NodeTable::fill_row(Slot slot, Changes changes) {
  const Row row = row_of(slot);
  if ((changes & change::kLabels) != 0) changes |= change::kCounts;
  for (ColumnId id : present_)
    if ((columns_[id].info.changes & changes) != 0)
      fill(columns_[id].info, *columns_[id].column, row);
  log_.append(Table::kNodes, row, changes);
}

void NodeTable::remove(Slot slot) {
  Node& node = nodes_[slot];
  BERTH_ASSERT(node.present);
  order_.remove(slot, node.zone);
  images_.remove(slot, node);
  node.present = false;
  ++removed_;
}

void NodeTable::prefetch(Row row) const {
  const Slot slot = slot_of(row);
  names_.prefetch(slot);
  const std::vector<PodOnNode>& pods = pods_[slot];
  __builtin_prefetch(pods.data() + pods.size());
  images_.prefetch(slot);
  order_.prefetch(slot);
  for (const Column* column : amounts_) __builtin_prefetch(column->bytes() + row * column->width());
}

uint32_t NodeTable::add_pod(Slot slot, PodOnNode pod) {
  constexpr size_t kFirst = 8;  // pods; a node with one gets more
  auto& pods = pods_[slot];
  if (pods.empty()) pods.reserve(kFirst);
  pods.push_back(pod);
  images_.touch(slot);
  count(slot, pod.pod_template, 1);
  return static_cast<uint32_t>(pods.size() - 1);
}

PodId NodeTable::remove_pod(Slot slot, uint32_t position) {
  auto& pods = pods_[slot];
  BERTH_ASSERT(position < pods.size());
  images_.touch(slot);
  TemplateId removed = pods[position].pod_template;
  bool last = position + 1 == pods.size();
  pods[position] = pods.back();
  pods.pop_back();
  count(slot, removed, -1);
  return last ? PodId{} : pods[position].pod;
}

void NodeTable::count(Slot slot, TemplateId pod, int64_t sign) {
  const Row row = row_of(slot);
  const Effects& effect = effects(pod);
  if (!sources_.templates[pod].ports.empty()) count_ports(slot, pod, sign > 0);
  if (sources_.templates[pod].has_volumes()) count_volumes(slot, pod, sign > 0);
  if (sign > 0)
    for (const StringId resource : effect.rare) rare_.note(resource, slot);
  if (row == kNoRow) return;
  if (lowest_priority_column_ != nullptr) follow_priority(slot, pod, sign > 0);
  for (const auto& [column, amount] : effect.amounts) {
    int64_t& sum = column->values<int64_t>()[row];
    sum = wrapping_sum(sum, sign < 0 ? wrapping_sum(0, -amount) : amount);
    column->touch(row);
  }
  log_.append(Table::kNodes, row, effect.changes);
}

// Ports in use are a set: of two pods with one port the first that leaves frees it, as upstream.
void NodeTable::count_ports(Slot slot, TemplateId pod, bool add) {
  Node& node = nodes_[slot];
  for (uint64_t port : sources_.templates[pod].ports) {
    auto at = std::find(node.ports.begin(), node.ports.end(), port);
    if (add && at == node.ports.end()) node.ports.push_back(port);
    if (!add && at != node.ports.end()) node.ports.erase(at);
  }
  if (ports_column_ == nullptr || row_of(slot) == kNoRow) return;
  ports_column_->set_list<uint64_t>(row_of(slot), node.ports);
  ports_column_->touch(row_of(slot));
}

void NodeTable::count_volumes(Slot slot, TemplateId pod, bool add) {
  Node& node = nodes_[slot];
  const Row row = row_of(slot);
  const PodTemplate& t = sources_.templates[pod];
  const auto follow = [&](const std::vector<uint64_t>& of_pod, std::vector<uint64_t>& list,
                          Column* column) {
    if (of_pod.empty()) return;
    for (const uint64_t value : of_pod) {
      const auto at = std::find(list.begin(), list.end(), value);
      if (add) list.push_back(value);
      if (!add && at != list.end()) list.erase(at);
    }
    if (column == nullptr || row == kNoRow) return;
    column->set_list<uint64_t>(row, list);
    column->touch(row);
  };
  follow(t.claims, node.claims, claims_column_);
  follow(t.disks, node.disks, disks_column_);
  follow(t.inline_volumes, node.inline_volumes, inline_column_);
}

// Looks at the node's other pods only if the pod that goes may have been the lowest.
void NodeTable::follow_priority(Slot slot, TemplateId pod, bool added) {
  const Row row = row_of(slot);
  const int64_t lowest = lowest_priority_column_->values<int64_t>()[row];
  const int64_t own = sources_.templates[pod].priority;
  if (own > lowest) return;
  lowest_priority_column_->put<int64_t>(row, added ? own : lowest_priority(slot));
}

const NodeTable::Effects& NodeTable::effects(TemplateId pod) {
  if (pod >= effects_.size()) effects_.resize(sources_.templates.size());
  Effects& effect = effects_[pod];
  if (effect.version == effects_version_) return effect;
  const PodTemplate& t = sources_.templates[pod];
  effect.version = effects_version_;
  effect.amounts.clear();
  effect.rare.clear();
  effect.changes = change::kPods | change::kNonzero | (t.ports.empty() ? 0 : change::kPorts) |
                   (t.has_volumes() ? change::kVolumes : 0);
  if (pods_column_ != nullptr) effect.amounts.emplace_back(pods_column_, 1);
  if (nonzero_cpu_column_ != nullptr)
    effect.amounts.emplace_back(nonzero_cpu_column_, t.nonzero_milli_cpu);
  if (nonzero_memory_column_ != nullptr)
    effect.amounts.emplace_back(nonzero_memory_column_, t.nonzero_memory);
  for (const auto& [resource, amount] : t.accounted) {
    if (amount == 0) continue;
    if (rare_.is_rare(resource)) effect.rare.push_back(resource);
    auto at = requested_columns_.find(resource);
    if (at == requested_columns_.end()) continue;
    effect.amounts.emplace_back(at->second.first, amount);
    effect.changes |= at->second.second;
  }
  return effect;
}

void NodeTable::nominate(Slot slot, const Nomination& nomination) {
  BERTH_ASSERT(slot < slots());
  nominations_.add(slot, nomination);
  log(slot, change::kNominated);
}

void NodeTable::replace_nomination(Slot slot, const Nomination& by) {
  nominations_.replace(slot, by);
  log(slot, change::kNominated);
}

void NodeTable::clear_nomination(Slot slot, PodId pod) {
  nominations_.remove(slot, pod);
  log(slot, change::kNominated);
}

}  // namespace berth::model
