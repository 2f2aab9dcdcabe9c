#pragma once

// Events: what enters the core of a scheduler. Plain values that own their texts (PodBatch
// excepted) and hold no interned ids, so an event means the same in every process and can be
// written down and applied again.
//
// An object event carries the whole object as it is after the event. What it was before is in the
// model when the event is applied; the core derives from both what changed.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/model/objects/objects.h"

namespace berth::model {

// A pod template, under the number by which pods of the same source refer to it.
struct TemplateDefinition {
  uint32_t id = 0;
  std::shared_ptr<const PodSpec> spec;  // never null
};

// A pod that shares its spec with others, for a small frame may name a large template many times.
struct TemplatePod {
  uint32_t template_id = 0;
  std::shared_ptr<const PodSpec> spec;  // the template's; never null
  std::string namespace_name;
  std::string name;
  std::string uid;
  std::optional<Controller> controller;
  std::string node_name;  // where it is placed, also if the template says so; empty: nowhere
  StringMap labels;       // besides the template's, or in place of those of the same key
  PodPhase phase = PodPhase::kUnknown;
  std::string nominated_node_name;
  bool terminating = false;
  bool preempted = false;
  std::optional<int64_t> started_at;  // nanoseconds since 1970

  Pod pod() const;  // all in one value
};

// Pods that wait to be scheduled and arrive together. Columns of equal length, except that those
// nobody uses are empty. The views are valid as long as the batch that holds this is not read into
// again.
struct PodBatch {
  std::vector<uint32_t> template_ids;  // each was defined before
  std::vector<uint32_t> namespace_indices;
  std::vector<std::string_view> namespaces;  // what namespace_indices point into
  std::vector<std::string_view> names;       // not empty
  std::vector<std::string_view> uids;
  std::vector<std::string_view> nominated_nodes;  // "": not nominated

  // Labels that a pod has besides those of its template, or in place of those of the same key: of
  // the i-th pod labels[label_ends[i - 1]] up to labels[label_ends[i]], keys ascending and unique.
  std::vector<uint32_t> label_ends;
  std::vector<std::pair<std::string_view, std::string_view>> labels;

  std::vector<Controller> controllers;       // what controller_indices mean
  std::vector<uint32_t> controller_indices;  // 0: none, i: controllers[i - 1]

  size_t size() const { return template_ids.size(); }
  std::string_view namespace_of(size_t pod) const { return namespaces[namespace_indices[pod]]; }
  // Null if it has none.
  const Controller* controller_of(size_t pod) const {
    const uint32_t index = controller_indices.empty() ? 0 : controller_indices[pod];
    return index == 0 ? nullptr : &controllers[index - 1];
  }
  void clear();
};

struct NodeAdded {
  Node node;
};
struct NodeUpdated {
  Node node;
};
struct NodeDeleted {
  std::string name;
};
struct PodPlaced {
  TemplatePod pod;  // node_name is not empty, and the pod not finished
};
struct PodUpdated {
  TemplatePod pod;  // placed or not
};
struct PodDeleted {
  std::string namespace_name, name;
};
struct PodFinished {
  std::string namespace_name, name;
};
struct NamespaceAdded {
  Namespace object;
};
struct NamespaceUpdated {
  Namespace object;
};
struct NamespaceDeleted {
  std::string name;
};
struct SelectorOwnerAdded {
  SelectorOwner object;
};
struct SelectorOwnerUpdated {
  SelectorOwner object;
};
struct SelectorOwnerDeleted {
  SelectorOwnerKind kind = SelectorOwnerKind::kService;
  std::string namespace_name, name;
};
struct DisruptionBudgetAdded {
  DisruptionBudget object;
};
struct DisruptionBudgetUpdated {
  DisruptionBudget object;
};
struct DisruptionBudgetDeleted {
  std::string namespace_name, name;
};

using Event = std::variant<NodeAdded, NodeUpdated, NodeDeleted, PodPlaced, PodUpdated, PodDeleted,
                           PodFinished, NamespaceAdded, NamespaceUpdated, NamespaceDeleted,
                           SelectorOwnerAdded, SelectorOwnerUpdated, SelectorOwnerDeleted,
                           DisruptionBudgetAdded, DisruptionBudgetUpdated, DisruptionBudgetDeleted>;

// A part of a cluster; the parts of a stream add up.
struct ClusterPart {
  std::vector<Node> nodes;
  std::vector<Namespace> namespaces;
  std::vector<TemplatePod> pods;  // placed, waiting or finished
  std::vector<SelectorOwner> selector_owners;
  std::vector<DisruptionBudget> disruption_budgets;

  bool empty() const {
    return nodes.empty() && namespaces.empty() && pods.empty() && selector_owners.empty() &&
           disruption_budgets.empty();
  }
};

}  // namespace berth::model
