#include "engine/base/rules/rules.h"

#include <algorithm>
#include <array>

namespace berth {
namespace {

// Sources: kube-scheduler v1.34.1 and v1.36.2; pkg/features/kube_features.go for the gates.
constexpr std::array kTable = {
    // rule, name, in 1.34, in 1.36
    RuleInfo{Rule::kBalanceOfChange, "BalanceOfChange", false, true},
    RuleInfo{Rule::kClaimsScore, "ClaimsScore", false, true},
    RuleInfo{Rule::kImagesOfVolumes, "ImagesOfVolumes", false, true},
    RuleInfo{Rule::kTiesByHeap, "TiesByHeap", false, true},
    RuleInfo{Rule::kTaintsUnnamed, "TaintsUnnamed", false, true},
    RuleInfo{Rule::kPortworxMigrated, "PortworxMigrated", false, true},
    RuleInfo{Rule::kDeclaredFeatures, "NodeDeclaredFeatures", false, true, true, false, true},
    RuleInfo{Rule::kPodLevelResize, "InPlacePodLevelResourcesVerticalScaling", false, true, true,
             false, true},
    RuleInfo{Rule::kPreemptedWaitingErrs, "PreemptedWaitingErrs", false, true},
    RuleInfo{Rule::kNoPostFilterClears, "NoPostFilterClears", false, true},
    RuleInfo{Rule::kListedPodCompared, "ListedPodCompared", false, true},
    RuleInfo{Rule::kAnnouncedNodes, "NominatedNodeNameForExpectation", false, true, true, false,
             true},
    RuleInfo{Rule::kBindingEndsNomination, "ClearingNominatedNodeNameAfterBinding", false, true,
             true, false, true},
    RuleInfo{Rule::kAssumedPodLeaves, "AssumedPodLeaves", false, true},
    RuleInfo{Rule::kBindingQuiet, "BindingQuiet", false, true},
    RuleInfo{Rule::kAffinityOwnLabels, "AffinityOwnLabels", false, true},
    RuleInfo{Rule::kAffinityNominated, "AffinityNominated", false, true},
    RuleInfo{Rule::kAffinityBothWays, "AffinityBothWays", false, true},
    RuleInfo{Rule::kSpreadNominated, "SpreadNominated", false, true},
    RuleInfo{Rule::kBackoffEndUnasked, "BackoffEndUnasked", false, true},
    RuleInfo{Rule::kParallelPreBind, "ParallelPreBind", false, true},
    RuleInfo{Rule::kTopologyLabels, "PodTopologyLabelsAdmission", false, true, true, false, true},
    RuleInfo{Rule::kPopFromBackoff, "SchedulerPopFromBackoffQ", true, true, true, true, true},
    RuleInfo{Rule::kBatches, "OpportunisticBatching", false, true, true, false, true},
    RuleInfo{Rule::kPlacementPoints, "PlacementPoints", false, true},
    RuleInfo{Rule::kBindingTimeout, "BindingTimeout", false, true},
    RuleInfo{Rule::kStrictShape, "StrictShape", false, true},
    RuleInfo{Rule::kStorageScore, "StorageCapacityScoring", false, false, true, true, true},
    RuleInfo{Rule::kSnapshotUntraced, "SnapshotUntraced", false, true},
};

constexpr bool in_order() {
  for (size_t i = 0; i < kTable.size(); ++i)
    if (kTable[i].rule != static_cast<Rule>(i)) return false;
  return kTable.size() <= 64;
}
static_assert(in_order());

}  // namespace

std::span<const RuleInfo> all_rules() { return kTable; }

const RuleInfo& info_of(Rule rule) { return kTable[static_cast<size_t>(rule)]; }

const RuleInfo* find_rule(std::string_view name) {
  const auto found = std::ranges::find(kTable, name, &RuleInfo::name);
  return found == kTable.end() ? nullptr : &*found;
}

Rules::Rules(KubeVersion version) : version_(version) {
  for (const RuleInfo& info : kTable) set(info.rule, info.in(version));
}

void Rules::set(Rule rule, bool holds) {
  const uint64_t bit = uint64_t{1} << static_cast<unsigned>(rule);
  held_ = holds ? held_ | bit : held_ & ~bit;
}

}  // namespace berth
