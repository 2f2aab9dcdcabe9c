#include "engine/model/cluster/nodes/node_pods.h"

#include <algorithm>

#include "engine/base/assert.h"
#include "engine/base/saturate.h"

namespace berth::model {

void NodePods::use(const ColumnInfo& info, Column& column) {
  effects_.use(info, column);
  if (info.attribute == Attribute::kNodeLowestPriority) lowest_priority_column_ = &column;
  if (info.attribute == Attribute::kNodePorts) ports_column_ = &column;
  if (info.attribute == Attribute::kNodeClaims) claims_column_ = &column;
  if (info.attribute == Attribute::kNodeDisks) disks_column_ = &column;
  if (info.attribute == Attribute::kNodeInlineVolumes) inline_column_ = &column;
}

int64_t NodePods::requested(Slot slot, StringId resource) const {
  int64_t sum = 0;
  for (const PodOnNode& pod : of(slot))
    sum = wrapping_sum(sum, amount_of(templates_[pod.pod_template].accounted, resource));
  return sum;
}

int64_t NodePods::lowest_priority(Slot slot) const {
  int64_t lowest = kNoPriority;
  for (const PodOnNode& pod : of(slot))
    lowest = std::min<int64_t>(lowest, templates_[pod.pod_template].priority);
  return lowest;
}

int64_t NodePods::nonzero(Slot slot, StringId resource) const {
  int64_t sum = 0;
  for (const PodOnNode& pod : of(slot)) {
    const PodTemplate& t = templates_[pod.pod_template];
    sum = wrapping_sum(sum, resource == cpu_ ? t.nonzero_milli_cpu : t.nonzero_memory);
  }
  return sum;
}

uint32_t NodePods::add(const Place& at, PodOnNode pod) {
  constexpr size_t kFirst = 8;  // pods; a node with one gets more
  auto& pods = pods_[at.slot];
  if (pods.empty()) pods.reserve(kFirst);
  pods.push_back(pod);
  count(at, pod.pod_template, 1);
  return static_cast<uint32_t>(pods.size() - 1);
}

PodId NodePods::remove(const Place& at, uint32_t position) {
  auto& pods = pods_[at.slot];
  BERTH_ASSERT(position < pods.size());
  TemplateId removed = pods[position].pod_template;
  bool last = position + 1 == pods.size();
  pods[position] = pods.back();
  pods.pop_back();
  count(at, removed, -1);
  return last ? PodId{} : pods[position].pod;
}

PodId NodePods::replace(Slot slot, uint32_t position, PodOnNode by) {
  auto& pods = pods_[slot];
  BERTH_ASSERT(position < pods.size() && pods[position].pod_template == by.pod_template);
  pods[position] = pods.back();
  pods.back() = by;
  return position + 1 == pods.size() ? PodId{} : pods[position].pod;
}

void NodePods::count(const Place& at, TemplateId pod, int64_t sign) {
  const TemplateEffects::Effect& effect = effects_.of(pod);
  if (!templates_[pod].ports.empty()) count_ports(at, pod, sign > 0);
  if (templates_[pod].has_volumes()) count_volumes(at, pod, sign > 0);
  if (sign > 0)
    for (const StringId resource : effect.rare) rare_.note(resource, at.slot);
  if (at.row == kNoRow) return;
  if (lowest_priority_column_ != nullptr) follow_priority(at, pod, sign > 0);
  for (const auto& [column, amount] : effect.amounts) {
    int64_t& sum = column->values<int64_t>()[at.row];
    sum = wrapping_sum(sum, sign < 0 ? wrapping_sum(0, -amount) : amount);
    column->touch(at.row);
  }
  log_.append(Table::kNodes, at.row, effect.changes);
}

// Ports in use are a set: of two pods with one port the first that leaves frees it, as upstream.
void NodePods::count_ports(const Place& at, TemplateId pod, bool add) {
  std::vector<uint64_t>& ports = at.node.ports;
  for (const uint64_t port : templates_[pod].ports) {
    const auto found = std::find(ports.begin(), ports.end(), port);
    if (add && found == ports.end()) ports.push_back(port);
    if (!add && found != ports.end()) ports.erase(found);
  }
  if (ports_column_ == nullptr || at.row == kNoRow) return;
  ports_column_->set_list<uint64_t>(at.row, ports);
  ports_column_->touch(at.row);
}

void NodePods::count_volumes(const Place& at, TemplateId pod, bool add) {
  const PodTemplate& t = templates_[pod];
  const auto follow = [&](const std::vector<uint64_t>& of_pod, std::vector<uint64_t>& list,
                          Column* column) {
    if (of_pod.empty()) return;
    for (const uint64_t value : of_pod) {
      const auto found = std::find(list.begin(), list.end(), value);
      if (add) list.push_back(value);
      if (!add && found != list.end()) list.erase(found);
    }
    if (column == nullptr || at.row == kNoRow) return;
    column->set_list<uint64_t>(at.row, list);
    column->touch(at.row);
  };
  follow(t.claims, at.node.claims, claims_column_);
  follow(t.disks, at.node.disks, disks_column_);
  follow(t.inline_volumes, at.node.inline_volumes, inline_column_);
}

// Looks at the node's other pods only if the pod that goes may have been the lowest.
void NodePods::follow_priority(const Place& at, TemplateId pod, bool added) {
  const int64_t lowest = lowest_priority_column_->values<int64_t>()[at.row];
  const int64_t own = templates_[pod].priority;
  if (own > lowest) return;
  lowest_priority_column_->put<int64_t>(at.row, added ? own : lowest_priority(at.slot));
}

}  // namespace berth::model
