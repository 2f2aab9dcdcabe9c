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
      rare_(sources.strings),
      images_(sources.images),
      names_(sources.strings),
      pods_(sources.templates, rare_, log, sources.strings.intern("cpu")) {}

Slot NodeTable::slot(StringId name) {
  const auto [slot, fresh] = names_.add(name);
  if (!fresh) return slot;
  if (slot == nodes_.size()) {
    nodes_.emplace_back();
    order_.add_slot();
    pods_.add_slot();
    images_.add_slot();
  }
  nodes_[slot].name = name;
  return slot;
}

void NodeTable::collect() {
  removed_ = 0;
  for (Slot slot = 0; slot < slots(); ++slot) {
    Node& node = nodes_[slot];
    if (node.name == 0 || node.present || row_of(slot) != kNoRow || !pods(slot).empty() ||
        nominations_.any(slot))
      continue;
    if (node.retains) release(node);
    names_.retire(slot, node.name);
    node = {};
    pods_.retire(slot);
  }
  // Pods may request amounts whose sum wraps around to 0.
  rare_.keep([&](StringId resource, Slot slot) {
    return amount_of(nodes_[slot].allocatable, resource) != 0 ||
           std::ranges::any_of(pods(slot), [&](const PodOnNode& pod) {
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
  if (follows_features_)
    for (const std::string& feature : object.declared_features)
      values.declared_features.push_back(sources_.strings.intern_counted(feature));
  images_.take(values, object);
  return values;
}

void NodeTable::retain(const Values& values) {
  model::retain(sources_.strings, values.labels);
  model::retain(sources_.strings, values.annotations);
  for (const auto& [name, amount] : values.allocatable) sources_.strings.retain(name);
  for (const StringId feature : values.declared_features) sources_.strings.retain(feature);
  sources_.taint_sets.retain(values.taint_set);
  for (const uint32_t image : values.images) sources_.images.retain(image);
}

void NodeTable::release(const Values& values) {
  model::release(sources_.strings, values.labels);
  model::release(sources_.strings, values.annotations);
  for (const auto& [name, amount] : values.allocatable) sources_.strings.release(name);
  for (const StringId feature : values.declared_features) sources_.strings.release(feature);
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
  compare(known.declared_features == values.declared_features, change::kDeclaredFeatures);
  compare(known.images == values.images && known.image_sizes == values.image_sizes,
          change::kImages);
  return update;
}

NodeTable::Update NodeTable::difference(Slot slot, const std::vector<Taint>& taints) {
  const Node& known = nodes_[slot];
  BERTH_ASSERT(known.present);
  Update update{slot, known, 0};
  update.values.taint_set = sources_.taint_sets.code(taints);
  if (update.values.taint_set != known.taint_set) update.changes = change::kTaints;
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
  pods_.prefetch(slot);
  images_.prefetch(slot);
  order_.prefetch(slot);
  for (const Column* column : amounts_) __builtin_prefetch(column->bytes() + row * column->width());
}

uint32_t NodeTable::add_pod(Slot slot, PodOnNode pod) {
  images_.touch(slot);
  return pods_.add({slot, row_of(slot), nodes_[slot]}, pod);
}

PodId NodeTable::remove_pod(Slot slot, uint32_t position) {
  images_.touch(slot);
  return pods_.remove({slot, row_of(slot), nodes_[slot]}, position);
}

PodId NodeTable::replace_pod(Slot slot, uint32_t position, PodOnNode pod) {
  images_.touch(slot);
  log(slot, change::kPodFacts);
  return pods_.replace(slot, position, pod);
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
