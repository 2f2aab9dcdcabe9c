#pragma once

// Events: the input of the scheduler's core. Plain values that own their texts (PodBatch excepted)
// and hold no interned ids, so an event means the same in every process, and can be recorded and
// applied again.
//
// An object event carries the whole object as it is after the event. The state before is in the
// model when the event is applied; the core compares the two.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/model/objects/objects.h"
#include "engine/model/objects/volume_objects.h"

namespace berth::model {

// A pod template, under the number by which pods of the same source refer to it.
struct TemplateDefinition {
  uint32_t id = 0;
  std::shared_ptr<const PodSpec> spec;  // never null
};

// Pods of one template may differ in the claims of their volumes. The names of the claims in the
// spec's volumes, those of ephemeral volumes apart, in order; a pod has one for each, or none of
// its own.
size_t own_claims(const PodSpec& spec);
// Gives these volumes other claims. Requires: `claims` has own_claims(spec) names.
template <typename Names>
void put_claims(PodSpec& spec, const Names& claims) {
  auto name = std::begin(claims);
  for (PodVolume& volume : spec.volumes)
    if (volume.is_claim && !volume.ephemeral) volume.claim = *name++;
}

// A pod that shares its spec with others, because a small frame may name a large template many
// times.
struct TemplatePod {
  uint32_t template_id = 0;
  std::shared_ptr<const PodSpec> spec;  // the template's; never null
  std::string namespace_name;
  std::string name;
  std::string uid;
  std::optional<Controller> controller;
  std::string
      node_name;     // the node of a placed pod, even if the template has it; empty: not placed
  StringMap labels;  // added to the template's; override those of the same key
  std::vector<std::string> claims;  // see own_claims(); empty: those of the template
  PodPhase phase = PodPhase::kUnknown;
  std::string nominated_node_name;
  bool terminating = false;
  bool preempted = false;
  int64_t created_at = 0;             // nanoseconds since 1970; 0: not known
  std::optional<int64_t> started_at;  // nanoseconds since 1970

  Pod pod() const;  // the pod with its template's spec and the merged labels
  // The pod under a template of its own, without a number. Its labels stay in the spec.
  static TemplatePod of(Pod pod);
};

// Pods that wait to be scheduled and arrive together. Columns of equal length, except that a column
// in which no pod has a value is empty. The views point into the frame that the batch was decoded
// from and are valid until the batch is decoded into again.
struct PodBatch {
  std::vector<uint32_t> template_ids;  // each was defined before
  std::vector<uint32_t> namespace_indices;
  std::vector<std::string_view> namespaces;  // indexed by namespace_indices
  std::vector<std::string_view> names;       // not empty
  std::vector<uint64_t> name_hashes;         // Strings::hash of each name; empty: not computed
  std::vector<std::string_view> uids;
  std::vector<std::string_view> nominated_nodes;  // "": not nominated
  std::vector<int64_t> created_at;                // nanoseconds since 1970; 0: not known

  // Labels of the pods in addition to those of their templates; they override labels of the same
  // key. Pod i has labels[label_ends[i - 1]] up to, not including, labels[label_ends[i]], with
  // ascending and unique keys.
  std::vector<uint32_t> label_ends;
  std::vector<std::pair<std::string_view, std::string_view>> labels;

  // Claims of the pods in place of their templates'. Pod i has claims[claim_ends[i - 1]] up to, not
  // including, claims[claim_ends[i]]: none, or own_claims() of its template.
  std::vector<uint32_t> claim_ends;
  std::vector<std::string_view> claims;

  std::vector<Controller> controllers;
  std::vector<uint32_t> controller_indices;  // 0: none, i: controllers[i - 1]

  size_t size() const { return template_ids.size(); }
  std::string_view namespace_of(size_t pod) const { return namespaces[namespace_indices[pod]]; }
  // Empty: the pod has the claims of its template.
  std::span<const std::string_view> claims_of(size_t pod) const {
    if (claim_ends.empty()) return {};
    const size_t begin = pod == 0 ? 0 : claim_ends[pod - 1];
    return std::span(claims).subspan(begin, claim_ends[pod] - begin);
  }
  // The pod's controller, valid as long as the batch is unchanged; null: none.
  const Controller* controller_of(size_t pod) const {
    const uint32_t index = controller_indices.empty() ? 0 : controller_indices[pod];
    return index == 0 ? nullptr : &controllers[index - 1];
  }
  void clear();  // empties all columns and keeps their memory
};

// Nodes. The model treats Added and Updated alike: it compares the object with the node that it
// has, if it has one.
struct NodeAdded {
  Node node;
};
struct NodeUpdated {
  Node node;
};
struct NodeDeleted {
  std::string name;
};
// Pods that are not work: those of a cluster and of a watch. Work arrives as PodBatch.
struct PodPlaced {
  TemplatePod pod;  // has a node_name and is not finished
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
// Namespaces, and the objects that select pods.
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

// Objects of storage. The model treats Added and Updated alike. Of a deleted one only the names
// count.
struct VolumeObjectAdded {
  VolumeObject object;
};
struct VolumeObjectUpdated {
  VolumeObject object;
};
struct VolumeObjectDeleted {
  VolumeObject object;
};

using Event = std::variant<NodeAdded, NodeUpdated, NodeDeleted, PodPlaced, PodUpdated, PodDeleted,
                           PodFinished, NamespaceAdded, NamespaceUpdated, NamespaceDeleted,
                           SelectorOwnerAdded, SelectorOwnerUpdated, SelectorOwnerDeleted,
                           DisruptionBudgetAdded, DisruptionBudgetUpdated, DisruptionBudgetDeleted,
                           VolumeObjectAdded, VolumeObjectUpdated, VolumeObjectDeleted>;

// A part of a cluster; the parts of a stream add up.
struct ClusterPart {
  std::vector<Node> nodes;
  std::vector<Namespace> namespaces;
  std::vector<TemplatePod> pods;  // placed, waiting or finished
  std::vector<SelectorOwner> selector_owners;
  std::vector<DisruptionBudget> disruption_budgets;
  std::vector<VolumeObject> storage;

  bool empty() const {
    return nodes.empty() && namespaces.empty() && pods.empty() && selector_owners.empty() &&
           disruption_budgets.empty() && storage.empty();
  }
};

}  // namespace berth::model
