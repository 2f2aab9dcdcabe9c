#include "engine/model/storage/catalog.h"

#include <algorithm>
#include <charconv>

#include "berth/abi/column.h"

namespace berth::model {
namespace {

using A = Attribute;
constexpr Table kN = Table::kNodes, kT = Table::kTaintSets, kI = Table::kImages, kP = Table::kPods,
                kC = Table::kCounts, kE = Table::kEvents;

// The changes of resource families depend on the resource, see changes_of.
constexpr KnownColumn kKnown[] = {
    {"node.row", A::kNodeRow, kN, BERTH_U32, false, 0},
    {"node.name", A::kNodeName, kN, BERTH_U32, false, 0},
    {"node.unschedulable", A::kNodeUnschedulable, kN, BERTH_U8, false, change::kUnschedulable},
    {"node.label:", A::kNodeLabel, kN, BERTH_U32, false, change::kLabels},
    {"node.taints", A::kNodeTaints, kN, BERTH_U32, false, change::kTaints},
    {"node.allocatable:", A::kNodeAllocatable, kN, BERTH_I64, false, change::kAllocatable},
    {"node.requested:", A::kNodeRequested, kN, BERTH_I64, false, 0},
    {"node.nonzero_requested:", A::kNodeNonzeroRequested, kN, BERTH_I64, false, change::kNonzero},
    {"node.pods", A::kNodePods, kN, BERTH_I64, false, change::kPods},
    {"node.ports", A::kNodePorts, kN, BERTH_U64, true, change::kPorts},
    {"node.images", A::kNodeImages, kN, BERTH_U32, true, change::kImages},
    {"node.image_sizes", A::kNodeImageSizes, kN, BERTH_I64, true, change::kImages},
    {"node.image_state_sizes", A::kNodeImageStateSizes, kN, BERTH_I64, true, change::kImages},
    {"node.image_state_nodes", A::kNodeImageStateNodes, kN, BERTH_I64, true, change::kImages},
    {"node.matches:", A::kNodeMatches, kN, BERTH_U8, false, change::kLabels},
    {"node.has_label:", A::kNodeHasLabel, kN, BERTH_U8, false, change::kLabels},
    {"node.domain:", A::kNodeDomain, kN, BERTH_U32, false, change::kLabels},
    {"node.zone", A::kNodeZone, kN, BERTH_U32, false, change::kLabels},
    {"node.tolerated:", A::kNodeTolerated, kN, BERTH_U8, false, change::kTaints},
    {"node.annotation:", A::kNodeAnnotation, kN, BERTH_U32, false, change::kAnnotations},
    {"node.count:", A::kNodeCount, kN, BERTH_I64, false, change::kCounts},
    {"node.carried:", A::kNodeCarried, kN, BERTH_I64, false, change::kCounts},
    {"node.lowest_priority", A::kNodeLowestPriority, kN, BERTH_I64, false, change::kPods},
    {"node.claims", A::kNodeClaims, kN, BERTH_U64, true, change::kVolumes},
    {"node.disks", A::kNodeDisks, kN, BERTH_U64, true, change::kVolumes},
    {"node.inline_volumes", A::kNodeInlineVolumes, kN, BERTH_U64, true, change::kVolumes},
    {"count:", A::kCount, kC, BERTH_I64, false, change::kCounts},
    {"count_total:", A::kCountTotal, kC, BERTH_I64, false, change::kCounts},
    {"count_minimum:", A::kCountMinimum, kC, BERTH_I64, false, change::kCounts},
    {"count_domains:", A::kCountDomains, kC, BERTH_I64, false, change::kCounts},
    {"carriers:", A::kCarriers, kC, BERTH_I64, false, change::kCounts},
    {"event.matches:", A::kEventMatches, kE, BERTH_U8, false, 0},
    {"taint_set.keys", A::kTaintKeys, kT, BERTH_U32, true, change::kValue},
    {"taint_set.values", A::kTaintValues, kT, BERTH_U32, true, change::kValue},
    {"taint_set.effects", A::kTaintEffects, kT, BERTH_U32, true, change::kValue},
    {"image.nodes", A::kImageNodes, kI, BERTH_I64, false, change::kValue},
    {"cluster.nodes", A::kClusterNodes, Table::kCluster, BERTH_I64, false, change::kValue},
    {"budget.allowed", A::kBudgetAllowed, Table::kBudgets, BERTH_I64, false, change::kValue},
    {"pod.handle", A::kPodHandle, kP, BERTH_U64, false, 0},
    {"pod.namespace", A::kPodNamespace, kP, BERTH_U32, false, 0},
    {"pod.name", A::kPodName, kP, BERTH_U32, false, 0},
    {"pod.uid", A::kPodUid, kP, BERTH_U32, false, 0},
    {"pod.label:", A::kPodLabel, kP, BERTH_U32, false, 0},
    {"pod.nominated_node", A::kPodNominatedNode, kP, BERTH_U32, false, 0},
    {"pod.created_at", A::kPodCreatedAt, kP, BERTH_I64, false, 0},
    {"pod.started_at", A::kPodStartedAt, kP, BERTH_I64, false, 0},
    {"pod.terminating", A::kPodTerminating, kP, BERTH_U8, false, 0},
    {"pod.preempted", A::kPodPreempted, kP, BERTH_U8, false, 0},
    {"pod.budgets", A::kPodBudgets, kP, BERTH_U32, true, 0},
    {"pod.group", A::kPodGroup, kP, BERTH_I64, false, 0, 3},
    {"pod.group_min_member", A::kPodGroupMinMember, kP, BERTH_I64, false, 0, 3},
    {"pod.group_created_at", A::kPodGroupCreatedAt, kP, BERTH_I64, false, 0, 3},
    {"pod.group_timeout_seconds", A::kPodGroupTimeoutSeconds, kP, BERTH_I64, false, 0, 3},
    {"pod.group_placed", A::kPodGroupPlaced, kP, BERTH_I64, false, 0, 3},
    {"pod.annotation:", A::kPodAnnotation, kP, BERTH_U32, false, 0, 3},
    {"pod.queued_at", A::kPodQueuedAt, kP, BERTH_I64, false, 0},
    {"pod.scheduler_name", A::kPodSchedulerName, kP, BERTH_U32, false, 0},
    {"pod.priority", A::kPodPriority, kP, BERTH_I64, false, 0},
    {"pod.preemption_policy", A::kPodPreemptionPolicy, kP, BERTH_U32, false, 0},
    {"pod.node_name", A::kPodNodeName, kP, BERTH_U32, false, 0},
    {"pod.scheduling_gates", A::kPodSchedulingGates, kP, BERTH_U32, true, 0},
    {"pod.node_selector", A::kPodNodeSelector, kP, BERTH_U32, false, 0},
    {"pod.has_node_selector", A::kPodHasNodeSelector, kP, BERTH_U8, false, 0},
    {"pod.affinity", A::kPodAffinity, kP, BERTH_U32, false, 0},
    {"pod.affinity_names_nodes", A::kPodAffinityNamesNodes, kP, BERTH_U8, false, 0},
    {"pod.affinity_node_names", A::kPodAffinityNodeNames, kP, BERTH_U32, true, 0},
    {"pod.affinity_terms", A::kPodAffinityTerms, kP, BERTH_U32, false, 0},
    {"pod.preferred", A::kPodPreferred, kP, BERTH_U32, true, 0},
    {"pod.preferred_weights", A::kPodPreferredWeights, kP, BERTH_I64, true, 0},
    {"pod.has_preferred", A::kPodHasPreferred, kP, BERTH_U8, false, 0},
    {"pod.toleration_keys", A::kPodTolerationKeys, kP, BERTH_U32, true, 0},
    {"pod.toleration_operators", A::kPodTolerationOperators, kP, BERTH_U32, true, 0},
    {"pod.toleration_values", A::kPodTolerationValues, kP, BERTH_U32, true, 0},
    {"pod.toleration_effects", A::kPodTolerationEffects, kP, BERTH_U32, true, 0},
    {"pod.tolerations", A::kPodTolerations, kP, BERTH_U32, false, 0},
    {"pod.controller_api_version", A::kPodControllerApiVersion, kP, BERTH_U32, false, 0},
    {"pod.controller_kind", A::kPodControllerKind, kP, BERTH_U32, false, 0},
    {"pod.controller_name", A::kPodControllerName, kP, BERTH_U32, false, 0},
    {"pod.controller_uid", A::kPodControllerUid, kP, BERTH_U32, false, 0},
    {"pod.siblings", A::kPodSiblings, kP, BERTH_U32, false, 0},
    {"pod.siblings_self", A::kPodSiblingsSelf, kP, BERTH_U8, false, 0},
    {"pod.spread_keys", A::kPodSpreadKeys, kP, BERTH_U32, true, 0},
    {"pod.spread_max_skew", A::kPodSpreadMaxSkew, kP, BERTH_I64, true, 0},
    {"pod.spread_min_domains", A::kPodSpreadMinDomains, kP, BERTH_I64, true, 0},
    {"pod.spread_when", A::kPodSpreadWhen, kP, BERTH_U32, true, 0},
    {"pod.spread_node_affinity_policies", A::kPodSpreadNodeAffinityPolicies, kP, BERTH_U32, true,
     0},
    {"pod.spread_node_taints_policies", A::kPodSpreadNodeTaintsPolicies, kP, BERTH_U32, true, 0},
    {"pod.spread_terms", A::kPodSpreadTerms, kP, BERTH_U32, true, 0},
    {"pod.spread_self", A::kPodSpreadSelf, kP, BERTH_U8, true, 0},
    {"pod.spread_selects_all", A::kPodSpreadSelectsAll, kP, BERTH_U8, true, 0},
    {"pod.spread_problems", A::kPodSpreadProblems, kP, BERTH_U32, true, 0},
    {"pod.pod_affinity_terms", A::kPodPodAffinityTerms, kP, BERTH_U32, true, 0},
    {"pod.pod_affinity_keys", A::kPodPodAffinityKeys, kP, BERTH_U32, true, 0},
    {"pod.pod_affinity_self", A::kPodAffinitySelf, kP, BERTH_U8, true, 0},
    {"pod.pod_anti_affinity_terms", A::kPodPodAntiAffinityTerms, kP, BERTH_U32, true, 0},
    {"pod.pod_anti_affinity_keys", A::kPodPodAntiAffinityKeys, kP, BERTH_U32, true, 0},
    {"pod.preferred_pod_affinity_terms", A::kPodPreferredPodAffinityTerms, kP, BERTH_U32, true, 0},
    {"pod.preferred_pod_affinity_keys", A::kPodPreferredPodAffinityKeys, kP, BERTH_U32, true, 0},
    {"pod.preferred_pod_affinity_weights", A::kPodPreferredPodAffinityWeights, kP, BERTH_I64, true,
     0},
    {"pod.preferred_pod_anti_affinity_terms", A::kPodPreferredPodAntiAffinityTerms, kP, BERTH_U32,
     true, 0},
    {"pod.preferred_pod_anti_affinity_keys", A::kPodPreferredPodAntiAffinityKeys, kP, BERTH_U32,
     true, 0},
    {"pod.preferred_pod_anti_affinity_weights", A::kPodPreferredPodAntiAffinityWeights, kP,
     BERTH_I64, true, 0},
    {"pod.pod_affinity_problem", A::kPodPodAffinityProblem, kP, BERTH_U32, false, 0},
    {"pod.carried:", A::kPodCarried, kP, BERTH_U32, false, 0},
    {"pod.matches:", A::kPodMatches, kP, BERTH_U8, false, 0},
    {"pod.volumes_version", A::kPodVolumesVersion, kP, BERTH_I64, false, 0},
    {"pod.claims", A::kPodClaims, kP, BERTH_U64, true, 0},
    {"pod.claim_owners", A::kPodClaimOwners, kP, BERTH_U32, true, 0},
    {"pod.claim_owner_names", A::kPodClaimOwnerNames, kP, BERTH_U32, true, 0},
    {"pod.disks", A::kPodDisks, kP, BERTH_U64, true, 0},
    {"pod.inline_volumes", A::kPodInlineVolumes, kP, BERTH_U64, true, 0},
    {"pod.csi_drivers", A::kPodCsiDrivers, kP, BERTH_U32, true, 0},
    {"pod.ports", A::kPodPorts, kP, BERTH_U64, true, 0},
    {"pod.images", A::kPodImages, kP, BERTH_U32, true, 0},
    {"pod.request_names", A::kPodRequestNames, kP, BERTH_U32, true, 0},
    {"pod.requests", A::kPodRequests, kP, BERTH_I64, true, 0},
    {"pod.running_request_names", A::kPodRunningRequestNames, kP, BERTH_U32, true, 0},
    {"pod.running_requests", A::kPodRunningRequests, kP, BERTH_I64, true, 0},
    {"pod.scoring_request_names", A::kPodScoringRequestNames, kP, BERTH_U32, true, 0},
    {"pod.scoring_requests", A::kPodScoringRequests, kP, BERTH_I64, true, 0},
};

Changes changes_of(const KnownColumn& known, std::string_view key) {
  if (known.attribute != A::kNodeRequested) return known.changes;
  if (key == "cpu") return change::kRequestedCpu;
  if (key == "memory") return change::kRequestedMemory;
  if (key == "ephemeral-storage") return change::kRequestedEphemeral;
  return change::kRequestedScalar;
}

bool acceptable_key(const KnownColumn& known, std::string_view key) {
  if (key.empty() || key == "*") return false;
  if (known.attribute == A::kNodeNonzeroRequested) return key == "cpu" || key == "memory";
  return true;
}

// Families whose members are numbers handed out by a service.
bool is_numbered(A attribute) {
  switch (attribute) {
    case A::kNodeMatches:
    case A::kNodeTolerated:
    case A::kNodeCount:
    case A::kCount:
    case A::kNodeCarried:
    case A::kCountTotal:
    case A::kCountMinimum:
    case A::kCountDomains:
    case A::kCarriers:
    case A::kEventMatches:
    case A::kPodCarried:
    case A::kPodMatches:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::span<const KnownColumn> known_columns() { return kKnown; }

const KnownColumn* find_known_column(std::string_view declared) {
  const size_t colon = declared.find(':');
  const std::string_view name = declared.substr(0, colon == declared.npos ? colon : colon + 1);
  const auto found = std::ranges::find(kKnown, name, &KnownColumn::name);
  return found == std::end(kKnown) ? nullptr : found;
}

ColumnId Catalog::find(std::string_view id) {
  if (auto at = ids_.find(std::string(id)); at != ids_.end()) {
    looked_up_[at->second] = true;
    return at->second;
  }
  size_t colon = id.find(':');
  bool family = colon != std::string_view::npos;
  std::string_view name = family ? id.substr(0, colon + 1) : id;
  std::string_view key = family ? id.substr(colon + 1) : std::string_view();
  const KnownColumn* known = find_known_column(name);
  if (known == nullptr || (family && !acceptable_key(*known, key))) return 0;

  ColumnInfo info{.id = std::string(id),
                  .attribute = known->attribute,
                  .table = known->table,
                  .type = known->type,
                  .list = known->list,
                  .changes = changes_of(*known, key),
                  .key = 0,
                  .number = 0};
  if (is_numbered(known->attribute)) {
    const char* end = key.data() + key.size();
    auto [at, error] = std::from_chars(key.data(), end, info.number);
    if (error != std::errc() || at != end || info.number == 0) return 0;
  } else if (family) {
    info.key = strings_.intern_counted(key);
    strings_.retain(info.key);
  }
  return add(std::move(info));
}

ColumnId Catalog::add(ColumnInfo info) {
  ColumnId id = size();
  if (free_.empty()) {
    columns_.emplace_back();
    looked_up_.push_back(true);
  } else {
    id = free_.back();
    free_.pop_back();
    looked_up_[id] = true;
  }
  columns_[id] = std::move(info);
  ids_.emplace(columns_[id].id, id);
  return id;
}

void Catalog::retire(ColumnId id) {
  ColumnInfo& gone = columns_[id];
  ids_.erase(gone.id);
  if (gone.key != 0) strings_.release(gone.key);
  gone = {};
  free_.push_back(id);
}

bool is_family(std::string_view declared) {
  if (!declared.ends_with(":*")) return false;
  const KnownColumn* known = find_known_column(declared);
  return known != nullptr && known->attribute != A::kPodAnnotation;
}

bool covers(std::string_view declared, std::string_view id) {
  if (!declared.ends_with(":*")) return declared == id;
  std::string_view family = declared.substr(0, declared.size() - 1);
  return id.starts_with(family) && id.size() > family.size();
}

}  // namespace berth::model
