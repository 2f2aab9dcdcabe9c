#pragma once

// Kubernetes objects as plain values, reduced to the fields that scheduling reads. Ingest decodes
// them from JSON, YAML or a stream; the model converts them to rows and templates. No defaults are
// applied here: a field that is absent in the source is empty, as kube-scheduler would see it
// without an API server.
//
// Field names follow the Kubernetes API. Source: k8s.io/api core/v1.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/model/objects/quantity.h"

namespace berth::model {

// The API's maps, which are small and read in order: sorted by key, keys are unique. Whoever fills
// one keeps this order; look-ups rely on it.
using StringMap = std::vector<std::pair<std::string, std::string>>;
using ResourceList = std::vector<std::pair<std::string, Quantity>>;

// A requirement on labels, or on fields in match_fields. Operators are validated by the selectors
// that are built from it, not here.
struct Requirement {
  std::string key;
  std::string op;  // as written: In, NotIn, Exists, DoesNotExist, Gt, Lt, or an unknown operator
  // In and NotIn have at least one value, Gt and Lt one integer, the others none.
  std::vector<std::string> values;
  bool operator==(const Requirement&) const = default;
};

// All expressions must match. A term without any matches nothing.
struct NodeSelectorTerm {
  std::vector<Requirement> match_expressions;
  std::vector<Requirement> match_fields;
  bool operator==(const NodeSelectorTerm&) const = default;
};

// Terms are ORed. A selector without terms matches nothing.
struct NodeSelector {
  std::vector<NodeSelectorTerm> terms;
  bool operator==(const NodeSelector&) const = default;
};

// Preferred node affinity: a node that matches gets the weight added to its score.
struct PreferredSchedulingTerm {
  int32_t weight = 0;  // 1..100 in the API; 0 has no effect
  NodeSelectorTerm preference;
  bool operator==(const PreferredSchedulingTerm&) const = default;
};

// metav1.LabelSelector. An absent selector matches nothing, an empty one everything.
struct LabelSelector {
  StringMap match_labels;
  std::vector<Requirement> match_expressions;
  bool operator==(const LabelSelector&) const = default;
};

// Selects pods by labels and namespaces. Without namespaces and without a namespace selector, the
// namespace of the pod that has the term is meant.
struct PodAffinityTerm {
  std::optional<LabelSelector> label_selector;
  std::vector<std::string> namespaces;
  std::optional<LabelSelector> namespace_selector;
  std::string topology_key;  // label key whose values are the domains
  // Keys of labels of the pod that has the term. An API server merges them into label_selector
  // (ingest/admission/pods/match_label_keys.h); they have no effect of their own here.
  std::vector<std::string> match_label_keys;
  std::vector<std::string> mismatch_label_keys;
  bool operator==(const PodAffinityTerm&) const = default;
};

struct WeightedPodAffinityTerm {
  int32_t weight = 0;  // 1..100
  PodAffinityTerm term;
  bool operator==(const WeightedPodAffinityTerm&) const = default;
};

// podAffinity or podAntiAffinity.
struct PodAffinity {
  std::vector<PodAffinityTerm> required;  // all must hold
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
  int32_t max_skew = 0;  // greater than 0
  std::string topology_key;
  std::string when_unsatisfiable;  // DoNotSchedule (a filter) or ScheduleAnyway (a score)
  std::optional<LabelSelector> label_selector;  // of pods in the pod's own namespace
  std::optional<int32_t> min_domains;           // absent: as 1
  std::string node_affinity_policy;             // Honor or Ignore; empty: not set, as Honor
  std::string node_taints_policy;               // Honor or Ignore; empty: not set, as Ignore
  // Keys of the pod's labels; the scheduler itself merges them into the selector.
  std::vector<std::string> match_label_keys;
  bool operator==(const TopologySpreadConstraint&) const = default;
};

// A toleration with an empty key and the operator Exists tolerates everything.
struct Toleration {
  std::string key;
  std::string op;  // empty: Equal
  std::string value;
  std::string effect;  // empty: all effects
  // tolerationSeconds: how long the pod stays on a node that gets such a taint; absent: for ever.
  // Only with the effect NoExecute. Scheduling does not read it.
  std::optional<int64_t> seconds{};
  bool operator==(const Toleration&) const = default;
};

struct ContainerPort {
  std::string host_ip;    // empty: 0.0.0.0, all addresses
  std::string protocol;   // TCP, UDP or SCTP; empty: TCP
  int32_t host_port = 0;  // 0: the port takes none of the node's
  bool operator==(const ContainerPort&) const = default;
};

struct Container {
  std::string name;
  std::string image;      // as written; the model adds a missing tag
  ResourceList requests;  // resources.requests
  std::vector<ContainerPort> ports;
  bool restart_always = false;  // restartPolicy Always; makes an init container a sidecar
  ResourceList limits{};        // resources.limits, which extenders are told
  bool restart_all = false;     // a restart rule of it restarts all containers of the pod
  bool operator==(const Container&) const = default;
};

// status.containerStatuses of a running container, which counts after an in-place resize. Also the
// status of a pod with resources of its own; that has no name.
struct ContainerStatus {
  std::string name;
  bool has_resources = false;
  ResourceList requests;             // status.resources.requests
  ResourceList allocated_resources;  // status.allocatedResources
  bool operator==(const ContainerStatus&) const = default;
};

// A volume of a pod that is a claim, a disk that pods may not share, a source that a CSI driver
// replaces, or an image.
struct PodVolume {
  bool is_claim = false;  // persistentVolumeClaim or ephemeral
  bool ephemeral = false;
  std::string claim;  // its name; of an ephemeral volume the part after the pod's name
  // Of the pod; the model fills them in, owners for ephemeral volumes only.
  std::string namespace_name, owner_name, owner_uid;
  std::vector<std::string> disks;  // texts that name a disk; equal texts conflict
  bool read_only = false;          // of two such disks both are: no conflict
  std::string plugin, handle;      // in-tree plugin, and what its CSI driver calls the volume
  std::string csi_driver;          // of a volume that the pod itself describes
  std::string image;               // image.reference
  bool operator==(const PodVolume&) const = default;
};

// The time for which the containers of a pod run after it was bound, and the exit code of their
// end. Annotations say it, to runs that play a kubelet.
struct ContainerRun {
  int64_t nanoseconds = 0;
  int32_t exit_code = 0;
  bool operator==(const ContainerRun&) const = default;
};

// In the order of protection.
enum class QosClass : uint8_t { kBestEffort, kBurstable, kGuaranteed };

// The parts of a pod that scheduling reads, without its identity. Equal specs share a template.
struct PodSpec {
  std::string scheduler_name;  // selects a profile; empty: as default-scheduler
  std::string node_name;       // empty: not placed
  std::optional<int32_t> priority;
  std::string preemption_policy;  // PreemptLowerPriority or Never; empty: not set
  StringMap labels;               // metadata.labels
  StringMap node_selector;
  bool has_node_selector = false;  // present in the input, even if empty
  Affinity affinity;
  std::vector<Toleration> tolerations;
  std::vector<TopologySpreadConstraint> topology_spread_constraints;
  std::vector<std::string> scheduling_gates;  // names
  std::vector<Container> init_containers;     // in order, sidecars included
  std::vector<Container> containers;
  ResourceList overhead;
  bool has_pod_resources = false;  // spec.resources is present
  ResourceList pod_requests;       // spec.resources.requests (pod level)
  std::vector<ContainerStatus> container_statuses;
  bool resize_infeasible = false;  // condition PodResizePending with reason Infeasible
  std::optional<int32_t> termination_grace_seconds;  // 30 if it is not set
  std::vector<PodVolume> volumes;                    // those that scheduling reads, in order
  std::optional<ContainerRun> run;                   // nothing: until the pod is deleted
  bool empty_dir = false;  // it has an emptyDir, whose data go with the pod
  bool mirror = false;     // the API's image of a static pod, which its kubelet alone ends
  bool host_user_namespace = false;  // hostNetwork, and hostUsers false
  ContainerStatus own_status{};      // of the pod itself; empty without pod_requests
  int32_t deletion_cost = 0;         // pods that cost less go first when there are too many
  // Where it is not the one that follows from the resources above: status.qosClass, or else what
  // limits of the pod as a whole make of it (qos_class.h).
  std::optional<QosClass> qos_class{};
  std::string os{};                         // spec.os.name; empty: any
  bool strict_supplemental_groups = false;  // securityContext.supplementalGroupsPolicy is Strict
  bool operator==(const PodSpec&) const = default;
};

enum class PodPhase : uint8_t { kUnknown, kPending, kRunning, kSucceeded, kFailed };

// The condition Ready of a pod. What is not True counts as False, as in podutil.IsPodReady; whether
// a pod without the condition does is up to the reader: the cluster may have no kubelets.
enum class PodReady : uint8_t { kNotTold, kFalse, kTrue };

// The managing owner of a pod: the entry of metadata.ownerReferences with controller: true.
struct Controller {
  std::string api_version;
  std::string kind;
  std::string name;
  std::string uid;
  bool operator==(const Controller&) const = default;
};

// A pod. It is bound if it names a node. It is finished if its phase is Succeeded or Failed;
// finished pods do not count on their node.
struct Pod {
  std::string name;
  std::string namespace_name;
  std::string uid;
  std::optional<Controller> controller;
  PodSpec spec;
  PodPhase phase = PodPhase::kUnknown;
  std::string nominated_node_name;
  bool terminating = false;  // metadata.deletionTimestamp is set
  bool preempted = false;    // terminating, and the scheduler preempted it
  PodReady ready = PodReady::kNotTold;
  // Reason and message of its condition DisruptionTarget, if that is True. Only people read it.
  std::string disrupted_because;
  int64_t created_at = 0;             // nanoseconds since 1970; 0: not known
  std::optional<int64_t> started_at;  // status.startTime, nanoseconds since 1970

  bool finished() const { return phase == PodPhase::kSucceeded || phase == PodPhase::kFailed; }
  bool bound() const { return !spec.node_name.empty(); }
};

// A taint of a node. kube-scheduler's filters heed the effects NoSchedule and NoExecute, its scores
// PreferNoSchedule.
struct Taint {
  std::string key;
  std::string value;
  std::string effect;
  bool operator==(const Taint&) const = default;
};

// An image on a node, under all its names.
struct NodeImage {
  std::vector<std::string> names;
  int64_t size_bytes = 0;
};

// An entry of a node's status.conditions. Controllers make taints of them; scheduling reads none.
struct NodeCondition {
  std::string type;    // such as Ready or MemoryPressure
  std::string status;  // True, False or Unknown
  bool operator==(const NodeCondition&) const = default;
};

struct Node {
  std::string name;
  StringMap labels;
  StringMap annotations;
  bool unschedulable = false;
  std::vector<Taint> taints;  // order matters: the first taint that is not tolerated is reported
  ResourceList allocatable;   // status.allocatable; includes pods, the number of pods that fit
  std::vector<NodeImage> images;
  std::vector<NodeCondition> conditions;  // in order: the first of a type counts
  ResourceList
      capacity{};  // status.capacity where it is not allocatable; scheduling does not read it
  std::vector<std::string> declared_features{};  // status.declaredFeatures, as listed
  bool supplemental_groups_policy = false;       // status.features
};

struct Namespace {
  std::string name;
  StringMap labels;
};

// A number of pods, or a percentage of them (IntOrString).
struct PodAmount {
  int32_t number = 0;
  bool percent = false;
  bool operator==(const PodAmount&) const = default;
};

// Which pods that are not ready may be evicted whatever their budget allows: those of a budget that
// is kept, or all.
enum class UnhealthyPods : uint8_t { kIfHealthyBudget, kAlwaysAllow };

// A PodDisruptionBudget, which limits how many of its pods may be evicted. Without a selector, and
// with an empty one, it covers no pod.
struct DisruptionBudget {
  std::string name;
  std::string namespace_name;
  std::optional<LabelSelector> selector;
  int32_t disruptions_allowed = 0;          // status.disruptionsAllowed
  std::vector<std::string> disrupted_pods;  // keys of status.disruptedPods, sorted
  std::optional<PodAmount> min_available{}, max_unavailable{};  // at most one
  UnhealthyPods unhealthy_pods = UnhealthyPods::kIfHealthyBudget;
  bool without_status = false;  // status.disruptionsAllowed is absent
  bool operator==(const DisruptionBudget&) const = default;
};

// policy/v1.Eviction: asks the API server to delete a pod, unless a budget forbids it. It is a
// request rather than an object that stays: it happens once, as an added one.
struct EvictionRequest {
  std::string name;  // the pod's
  std::string namespace_name;
  // deleteOptions.gracePeriodSeconds, not negative; absent: the pod's own
  std::optional<int64_t> grace_seconds;
  bool dry_run = false;
  // deleteOptions.preconditions; absent: any
  std::optional<std::string> uid;
  std::optional<std::string> resource_version;
  bool operator==(const EvictionRequest&) const = default;
};

enum class SelectorOwnerKind : uint8_t {
  kService,
  kReplicationController,
  kReplicaSet,
  kStatefulSet
};

// A Service or controller, whose spec.selector selects pods of its own namespace. Services and
// ReplicationControllers have a plain map as selector, which is stored in match_labels.
struct SelectorOwner {
  SelectorOwnerKind kind = SelectorOwnerKind::kService;
  std::string name;
  std::string namespace_name;
  std::optional<LabelSelector> selector;  // absent if the object has none
};

}  // namespace berth::model
