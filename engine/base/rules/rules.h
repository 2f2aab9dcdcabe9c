#pragma once

// The rules in which versions of kube-scheduler differ, and those that its feature gates switch.
// The table in rules.cc says for each rule which version has it. What is not in the table is equal
// in all versions.
//
// A part of the engine that has a rule both ways asks `rules.has(Rule::kX)`, once, where it is
// made. A plugin asks the host for a rule by its name (berth/abi/rules.h).

#include <cstdint>
#include <span>
#include <string_view>

#include "engine/base/rules/kube_version.h"

namespace berth {

// The comment of a rule describes a run in which it holds.
enum class Rule : uint8_t {
  // Scores.
  kBalanceOfChange,  // balance of resources: how much better the pod makes it, 75 is neutral
  kClaimsScore,      // resource claims have a score, which is 0 without claims
  kImagesOfVolumes,  // images that a pod mounts count as those of its containers
  // Choice of the node.
  kTiesByHeap,  // the first maximum in pre-order of the binary heap, see ranking
  // Filters and messages.
  kTaintsUnnamed,     // a taint that a pod does not tolerate is not named
  kPortworxMigrated,  // in-tree volumes of Portworx always count as migrated to CSI
  kDeclaredFeatures,  // pods need features that their node declares
  kPodLevelResize,    // requests of a whole pod follow its resize in the status
  // Preemption and nominations.
  kPreemptedWaitingErrs,   // a preempted pod that waits fails with an error instead of a refusal
  kNoPostFilterClears,     // a refusal in a profile without PostFilter ends the pod's nomination
  kListedPodCompared,      // what a failure writes is compared with the pod as it is now listed
  kAnnouncedNodes,         // nominatedNodeName is written before a pod waits or is pre-bound
  kBindingEndsNomination,  // the API server clears nominatedNodeName when it binds
  // Events and hints.
  kAssumedPodLeaves,   // an assumed pod that is deleted leaves its node at once, with its event
  kBindingQuiet,       // the event of a binding tells nobody that a nomination ended
  kAffinityOwnLabels,  // pod affinity wakes a pod whose own labels change
  kAffinityNominated,  // ... and looks at nominated pods as at bound ones
  kAffinityBothWays,   // ... and at the anti-affinity of a pod that goes, against the waiting one
  kSpreadNominated,    // topology spread looks at nominated pods as at bound ones
  kBackoffEndUnasked,  // activation out of backoff does not ask PreEnqueue
  // Binding.
  kParallelPreBind,  // PreBind plugins that allow it run at the same time
  kTopologyLabels,   // the API server copies zone and region of the node to the bound pod
  // The queue and batches.
  kPopFromBackoff,  // a pod that backs off is tried early when no other pod is active
  kBatches,         // equal pods that follow each other take the next best node of the first
  // Configuration.
  kPlacementPoints,  // the points placementGenerate and placementScore
  kBindingTimeout,   // resource claims have the argument bindingTimeout
  kStrictShape,      // requestedToCapacityRatio stands exactly with the strategy of its name
  kStorageScore,     // nodes score by their storage
  // The log.
  kSnapshotUntraced,  // the trace of a slow attempt has no step for the snapshot
};

// Which versions have a rule.
struct RuleInfo {
  Rule rule;
  std::string_view name;  // unique; of a rule with a gate, the gate's
  bool in_1_34, in_1_36;  // by default
  // True: kube-scheduler has a feature gate of that name, and both values are built in the versions
  // of `built_*`; in others the gate can only be set to its default, if it is known there.
  bool gate = false;
  bool built_1_34 = false, built_1_36 = false;

  bool in(KubeVersion version) const { return version == KubeVersion::k1_34 ? in_1_34 : in_1_36; }
  bool built_in(KubeVersion version) const {
    return version == KubeVersion::k1_34 ? built_1_34 : built_1_36;
  }
};

std::span<const RuleInfo> all_rules();  // in the order of Rule
const RuleInfo& info_of(Rule rule);
const RuleInfo* find_rule(std::string_view name);  // null: there is none

// The rules of a run. A value of two words.
class Rules {
 public:
  // Those that the version has by default.
  explicit Rules(KubeVersion version = kDefaultKubeVersion);

  KubeVersion version() const { return version_; }
  bool has(Rule rule) const { return (held_ >> static_cast<unsigned>(rule) & 1) != 0; }
  void set(Rule rule, bool holds);
  bool operator==(const Rules&) const = default;

 private:
  uint64_t held_ = 0;
  KubeVersion version_;
};

}  // namespace berth
