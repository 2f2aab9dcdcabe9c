#pragma once

// Workloads as their controllers read them: objects that keep a number of pods of one template.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/model/objects/objects.h"
#include "engine/model/objects/volume_objects.h"

namespace berth::model {

enum class WorkloadKind : uint8_t {
  kDeployment,
  kReplicaSet,
  kReplicationController,
  kStatefulSet,
  kDaemonSet,
  kJob
};

// A rule of a Job's podFailurePolicy. It has exit codes or conditions.
struct FailureRule {
  enum class Action : uint8_t { kFailJob, kIgnore, kCount };

  Action action = Action::kCount;
  // onExitCodes; none: the rule is about conditions.
  std::optional<std::string> operation;  // In or NotIn
  std::vector<int32_t> exit_codes;
  std::string container;  // its name; empty: any
  // onPodConditions: types and statuses.
  std::vector<std::pair<std::string, std::string>> conditions;
};

// The part of a Job's spec about its end. The number of pods at one time is Workload::replicas.
struct JobSpec {
  std::optional<uint64_t> completions;
  uint64_t backoff_limit = 6;
  std::optional<int64_t> active_deadline_seconds;
  bool indexed = false;
  bool suspended = false;
  // Pods are replaced when they have failed, and not while they terminate.
  bool replaces_failed_alone = false;
  bool has_failure_policy = false;
  std::vector<FailureRule> failure_rules;
  // As the object's status has it when it comes.
  uint64_t succeeded = 0, failed = 0;
  bool over = false;
  // Indices that are over, in ascending ranges: the first and the last.
  std::vector<std::pair<uint64_t, uint64_t>> over_indices;
};

// A number of pods, or a percentage of those that a workload has.
struct RolloutShare {
  uint64_t value = 25;
  bool percent = true;
};

// The way in which the pods of a new template of a Deployment replace the former ones.
struct Rollout {
  bool recreates = false;  // the former ones go first
  bool paused = false;
  RolloutShare surge{}, unavailable{};
};

struct Workload {
  WorkloadKind kind = WorkloadKind::kDeployment;
  std::string name;
  std::string namespace_name;
  // The controller that the pods name: that of a Deployment is a ReplicaSet.
  Controller controller;
  // A hash of the template: two objects with different ones have different pods.
  std::string revision;
  // The common part of the pods, as an API server admitted it; without a name. Not null.
  std::shared_ptr<const Pod> pod;
  uint64_t replicas = 0;      // pods at one time; of a DaemonSet: 0, one for each node
  uint64_t next_ordinal = 0;  // names of pods with lower ordinals may be taken (made_pods.h)
  int64_t first_ordinal = 0;  // of a StatefulSet
  bool parallel = false;      // a StatefulSet with podManagementPolicy Parallel
  // Of a StatefulSet and a Deployment: a pod is ready for so long before it counts.
  int64_t min_ready_seconds = 0;
  Rollout rollout;             // of a Deployment
  bool merges_labels = false;  // matchLabelKeys may name labels in which the pods differ
  bool has_pods = false;       // there may be pods of it that came before it
  bool creates = false;        // no pods were made when it was read: its controller makes all
  std::vector<PersistentVolumeClaim> claims;            // templates, of a StatefulSet
  std::vector<PersistentVolumeClaim> ephemeral_claims;  // templates, of the pods' volumes
  JobSpec job;
};

}  // namespace berth::model
