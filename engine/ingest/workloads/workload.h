#pragma once

// Workloads: objects whose controller creates pods from a template, as manifests describe them.
// They are read here and expanded (expand.h) to the pods that the controllers would create.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/model/objects/objects.h"
#include "engine/model/objects/volume_objects.h"
#include "engine/model/objects/workload.h"

namespace berth::ingest {

// The facts that the admission of a pod asks for and scheduling does not read.
struct PodAsked {
  std::string priority_class;  // spec.priorityClassName
  std::string runtime_class;   // spec.runtimeClassName
  bool host_network = false;
  bool has_overhead = false;          // spec.overhead is present
  bool has_deadline = false;          // spec.activeDeadlineSeconds is present
  model::ResourceList limits;         // spec.resources.limits, of the pod level
  bool with_resource_claims = false;  // names resource claims
  bool tolerates_for_a_time = false;  // has tolerationSeconds of its own
  // Claim templates of ephemeral volumes: the pod gets a claim of each, called POD-NAME after the
  // volume NAME.
  std::vector<model::PersistentVolumeClaim> ephemeral_claims;
};

using model::WorkloadKind;

// A workload without a fault. The names of the pods follow from it alone.
struct Workload {
  WorkloadKind kind = WorkloadKind::kDeployment;
  std::string name;
  std::string namespace_name;
  // The controller that the pods have: that of a Deployment is a ReplicaSet.
  model::Controller controller;
  std::string revision;    // a hash of the template
  bool made_here = false;  // no API server gave it a UID
  // The common part of all pods: the namespace, the labels, the template's spec. Without a name.
  model::Pod pod;
  PodAsked asked;
  uint64_t pods = 0;              // how many exist at once; of a DaemonSet: 0, one for each node
  uint64_t size = 0;              // of its spec as JSON, in bytes, which each pod takes about again
  int64_t first_ordinal = 0;      // of a StatefulSet
  bool parallel = false;          // the same: podManagementPolicy is Parallel
  int64_t min_ready_seconds = 0;  // of a StatefulSet and a Deployment
  model::Rollout rollout;         // of a Deployment
  // Claim templates of a StatefulSet: each pod gets a claim of each, called NAME-POD, as its volume
  // NAME. `pod` has none of these volumes.
  std::vector<model::PersistentVolumeClaim> claims;
  uint64_t surge = 0;  // of a Deployment: the pods beside `pods` during a rollout
  model::JobSpec job;
  uint64_t parallelism = 0;  // of a Job
  // Fields with which its controller cannot be played, as spec.NAME; empty: it can.
  std::string not_played;
  bool merge_each = false;  // matchLabelKeys may name labels in which the pods differ
  uint32_t line = 0;        // of its file, from 1
  size_t before = 0;        // the pods of its file that precede it
};

// A ReplicaSet that a Deployment controls. It creates nothing here: its Deployment does, if it is
// read.
struct ControlledSet {
  std::string namespace_name;
  std::string name;
  std::string deployment;
  uint64_t replicas = 0;
};

// The label with the completion index of a Job's pod.
inline constexpr std::string_view kIndexLabel = "batch.kubernetes.io/job-completion-index";

// The kind that `kind` and `api_version` mean; nothing for other kinds. With an empty
// `api_version`, the group is not checked.
std::optional<WorkloadKind> workload_kind(std::string_view kind, std::string_view api_version);
// The kind's name in the Kubernetes API: "StatefulSet".
std::string_view workload_kind_name(WorkloadKind kind);

}  // namespace berth::ingest
