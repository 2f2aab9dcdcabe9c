#pragma once

// The pods of nodes, and what nodes hold because of them: sums of what the pods request, the lowest
// priority, host ports and volumes. The columns of these values follow each pod that is added or
// removed; a node without a row keeps its pods, and its sums are made when it gets one.
//
// Belongs to the node table and has its threads.

#include <cstdint>
#include <vector>

#include "engine/model/cluster/nodes/node_values.h"
#include "engine/model/cluster/nodes/template_effects.h"
#include "engine/model/cluster/resource_slots.h"
#include "engine/model/columns/catalog.h"
#include "engine/model/columns/change_log.h"
#include "engine/model/columns/column.h"
#include "engine/model/columns/row_shifts.h"
#include "engine/model/nominations/nominations.h"
#include "engine/model/pods/pod_table.h"
#include "engine/model/pods/pod_templates.h"

namespace berth::model {

// The lowest priority among no pods.
inline constexpr int64_t kNoPriority = INT64_MAX;

class NodePods {
 public:
  // A node: its slot, its row or kNoRow, and its values.
  struct Place {
    Slot slot;
    Row row;
    KnownNode& node;
  };

  // The references outlive this. Rare resources that pods request are noted in `rare`. `cpu`: the
  // id of that name.
  NodePods(const PodTemplates& templates, ResourceSlots& rare, ChangeLog& log, StringId cpu)
      : templates_(templates), rare_(rare), log_(log), cpu_(cpu), effects_(templates, rare, cpu) {}

  void add_slot() { pods_.emplace_back(); }
  // Its pods in order of arrival, except that the last pod takes the position of a removed one.
  // Valid until add_slot().
  const std::vector<PodOnNode>& of(Slot slot) const { return pods_[slot]; }
  // Returns the memory of a slot without pods.
  void retire(Slot slot) { pods_[slot] = {}; }
  // Asks for the memory of the list that add() writes.
  void prefetch(Slot slot) const { __builtin_prefetch(pods_[slot].data() + pods_[slot].size()); }

  // Adds a pod to the node's list, and its requests, ports and volumes to the node and its columns.
  // Returns its position in the list.
  uint32_t add(const Place& at, PodOnNode pod);
  // Removes the pod at that position. Returns the pod that takes its place in the list; no id if it
  // was the last.
  PodId remove(const Place& at, uint32_t position);
  // The same as removing the pod at that position and adding another one of its template, with
  // which no sum changes.
  PodId replace(Slot slot, uint32_t position, PodOnNode by);

  // Sums over the pods of a node; they wrap around. `nonzero` is for cpu and memory.
  int64_t requested(Slot slot, StringId resource) const;
  int64_t nonzero(Slot slot, StringId resource) const;
  int64_t lowest_priority(Slot slot) const;  // kNoPriority if there are no pods

  // A column of nodes was made, or is about to be dropped.
  void use(const ColumnInfo& info, Column& column);
  void drop(const ColumnInfo& info) { effects_.drop(info); }
  // The id is about to be used for another template.
  void forget(TemplateId pod) { effects_.forget(pod); }

 private:
  void count(const Place& at, TemplateId pod, int64_t sign);
  void count_ports(const Place& at, TemplateId pod, bool add);
  void count_volumes(const Place& at, TemplateId pod, bool add);
  void follow_priority(const Place& at, TemplateId pod, bool added);

  const PodTemplates& templates_;
  ResourceSlots& rare_;
  ChangeLog& log_;
  const StringId cpu_;
  // By slot. They are apart from the nodes because every decision reads those of the node that it
  // chose.
  std::vector<std::vector<PodOnNode>> pods_;
  TemplateEffects effects_;
  Column* lowest_priority_column_ = nullptr;
  Column* ports_column_ = nullptr;
  Column* claims_column_ = nullptr;
  Column* disks_column_ = nullptr;
  Column* inline_column_ = nullptr;
};

}  // namespace berth::model
