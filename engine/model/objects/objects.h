#pragma once

// Kubernetes objects, reduced to what scheduling reads, as plain values. Ingest makes them from
// JSON, YAML or a stream; the model turns them into rows and templates. No defaulting happens here:
// a field that the source left out is empty, as kube-scheduler would see it without an API server.
//
// Field names are those of the Kubernetes API; source: k8s.io/api core/v1.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/model/objects/quantity.h"

namespace berth::model {

// A map of the API that is small and read in order: sorted by key, keys unique.
using StringMap = std::vector<std::pair<std::string, std::string>>;
using ResourceList = std::vector<std::pair<std::string, Quantity>>;

struct Requirement {
  std::string key;
  std::string op;  // as written: In, NotIn, Exists, DoesNotExist, Gt, Lt, or something unknown
  std::vector<std::string> values;
  bool operator==(const Requirement&) const = default;
};

struct NodeSelectorTerm {
  std::vector<Requirement> match_expressions;
  std::vector<Requirement> match_fields;
  bool operator==(const NodeSelectorTerm&) const = default;
};

// Terms are ORed; a selector without terms matches nothing.
struct NodeSelector {
  std::vector<NodeSelectorTerm> terms;
  bool operator==(const NodeSelector&) const = default;
};

struct PreferredSchedulingTerm {
  int32_t weight = 0;
  NodeSelectorTerm preference;
  bool operator==(const PreferredSchedulingTerm&) const = default;
};

// A metav1.LabelSelector. Absent selects nothing; present and empty selects everything.
struct LabelSelector {
  StringMap match_labels;
  std::vector<Requirement> match_expressions;
  bool operator==(const LabelSelector&) const = default;
};

struct PodAffinityTerm {
  std::optional<LabelSelector> label_selector;
  std::vector<std::string> namespaces;
  std::optional<LabelSelector> namespace_selector;
  std::string topology_key;
  std::vector<std::string> match_label_keys;
  std::vector<std::string> mismatch_label_keys;
  bool operator==(const PodAffinityTerm&) const = default;
};

struct WeightedPodAffinityTerm {
  int32_t weight = 0;
  PodAffinityTerm term;
  bool operator==(const WeightedPodAffinityTerm&) const = default;
};

struct PodAffinity {
  std::vector<PodAffinityTerm> required;
  std::vector<WeightedPodAffinityTerm> preferred;
  bool operator==(const PodAffinity&) const = default;
};

struct Affinity {
  std::optional<NodeSelector> node_required;
  std::vector<PreferredSchedulingTerm> node_preferred;
  bool has_node_preferred = false;  // present in the input, even if empty
  std::optional<PodAffinity> pod_affinity;
  std::optional<PodAffinity> pod_anti_affinity;
  bool operator==(const Affinity&) const = default;
};

struct TopologySpreadConstraint {
  int32_t max_skew = 0;
  std::string topology_key;
  std::string when_unsatisfiable;
  std::optional<LabelSelector> label_selector;
  std::optional<int32_t> min_domains;
  std::string node_affinity_policy;  // empty: not set
  std::string node_taints_policy;    // empty: not set
  std::vector<std::string> match_label_keys;
  bool operator==(const TopologySpreadConstraint&) const = default;
};

struct Toleration {
  std::string key;
  std::string op;  // empty means Equal
  std::string value;
  std::string effect;  // empty: all effects
  bool operator==(const Toleration&) const = default;
};

struct ContainerPort {
  std::string host_ip;
  std::string protocol;
  int32_t host_port = 0;
  bool operator==(const ContainerPort&) const = default;
};

struct Container {
  std::string name;
  std::string image;
  ResourceList requests;
  std::vector<ContainerPort> ports;
  bool restart_always = false;  // restartPolicy Always: of an init container, a sidecar
  bool operator==(const Container&) const = default;
};

// What status.containerStatuses says of a running container: matters after an in-place resize.
struct ContainerStatus {
  std::string name;
  bool has_resources = false;
  ResourceList requests;             // status.resources.requests
  ResourceList allocated_resources;  // status.allocatedResources
  bool operator==(const ContainerStatus&) const = default;
};

// What scheduling looks at in the pod itself, apart from who it is. Equal specs share a template.
struct PodSpec {
  std::string scheduler_name;
  std::string node_name;
  std::optional<int32_t> priority;
  std::string preemption_policy;
  StringMap labels;  // metadata.labels
  StringMap node_selector;
  bool has_node_selector = false;  // present in the input, even if empty
  Affinity affinity;
  std::vector<Toleration> tolerations;
  std::vector<TopologySpreadConstraint> topology_spread_constraints;
  std::vector<std::string> scheduling_gates;
  std::vector<Container> init_containers;
  std::vector<Container> containers;
  ResourceList overhead;
  bool has_pod_resources = false;
  ResourceList pod_requests;  // spec.resources.requests (pod level)
  std::vector<ContainerStatus> container_statuses;
  bool resize_infeasible = false;  // condition PodResizePending with reason Infeasible
  bool operator==(const PodSpec&) const = default;
};

enum class PodPhase : uint8_t { kUnknown, kPending, kRunning, kSucceeded, kFailed };

// The owner that manages a pod: the entry of metadata.ownerReferences with controller: true.
struct Controller {
  std::string api_version;
  std::string kind;
  std::string name;
  std::string uid;
  bool operator==(const Controller&) const = default;
};

struct Pod {
  std::string name;
  std::string namespace_name;
  std::string uid;
  std::optional<Controller> controller;
  PodSpec spec;
  PodPhase phase = PodPhase::kUnknown;
  std::string nominated_node_name;
  bool terminating = false;  // metadata.deletionTimestamp is set

  bool finished() const { return phase == PodPhase::kSucceeded || phase == PodPhase::kFailed; }
  bool bound() const { return !spec.node_name.empty(); }
};

struct Taint {
  std::string key;
  std::string value;
  std::string effect;
  bool operator==(const Taint&) const = default;
};

struct NodeImage {
  std::vector<std::string> names;
  int64_t size_bytes = 0;
};

struct Node {
  std::string name;
  StringMap labels;
  StringMap annotations;
  bool unschedulable = false;
  std::vector<Taint> taints;  // in order: the first one that is not tolerated is reported
  ResourceList allocatable;
  std::vector<NodeImage> images;
};

struct Namespace {
  std::string name;
  StringMap labels;
};

enum class SelectorOwnerKind : uint8_t {
  kService,
  kReplicationController,
  kReplicaSet,
  kStatefulSet
};

// A Service or a controller: an object that says by spec.selector which pods of its namespace are
// its own. Services and ReplicationControllers have a map there, which stands in match_labels.
struct SelectorOwner {
  SelectorOwnerKind kind = SelectorOwnerKind::kService;
  std::string name;
  std::string namespace_name;
  std::optional<LabelSelector> selector;  // absent: the object has none
};

}  // namespace berth::model
