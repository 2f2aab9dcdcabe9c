#pragma once

// The columns that exist, by id: what they belong to, their type, and which changes their values
// follow. The list for plugin authors is abi/columns.md.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "engine/model/storage/change_log.h"
#include "engine/model/storage/strings.h"

namespace berth::model {

using ColumnId = uint32_t;  // 0: no column

enum class Attribute : uint8_t {
  kNodeRow,
  kNodeName,
  kNodeUnschedulable,
  kNodeLabel,
  kNodeTaints,
  kNodeAllocatable,
  kNodeRequested,
  kNodeNonzeroRequested,
  kNodePods,
  kNodePorts,
  kNodeImages,
  kNodeImageSizes,
  kNodeMatches,
  kNodeHasLabel,
  kNodeDomain,
  kNodeZone,
  kNodeTolerated,
  kNodeAnnotation,
  kNodeCount,
  kNodeCarried,
  kTaintKeys,
  kTaintValues,
  kTaintEffects,
  kImageNodes,
  kClusterNodes,
  kCount,
  kCountTotal,
  kCountMinimum,
  kCountDomains,
  kCarriers,
  // Of the pod itself; those up to kPodQueuedAt differ between pods of one shape ...
  kPodHandle,
  kPodName,
  kPodUid,
  kPodQueuedAt,
  // ... and those up to kPodControllerUid between shapes of one template (see pod_shapes.h).
  kPodNamespace,
  kPodLabel,
  kPodAffinitySelf,
  kPodPodAffinityTerms,
  kPodPodAffinityKeys,
  kPodPodAntiAffinityTerms,
  kPodPodAntiAffinityKeys,
  kPodPreferredPodAffinityTerms,
  kPodPreferredPodAffinityKeys,
  kPodPreferredPodAffinityWeights,
  kPodPreferredPodAntiAffinityTerms,
  kPodPreferredPodAntiAffinityKeys,
  kPodPreferredPodAntiAffinityWeights,
  kPodPodAffinityProblem,
  kPodSpreadTerms,
  kPodSpreadSelf,
  kPodSpreadSelectsAll,
  kPodSpreadProblems,
  kPodSiblings,
  kPodSiblingsSelf,
  kPodCarried,
  kPodMatches,
  kPodControllerApiVersion,
  kPodControllerKind,
  kPodControllerName,
  kPodControllerUid,
  // Of the template.
  kPodSchedulerName,
  kPodPriority,
  kPodNodeName,
  kPodSchedulingGates,
  kPodNodeSelector,
  kPodHasNodeSelector,
  kPodAffinity,
  kPodAffinityNamesNodes,
  kPodAffinityNodeNames,
  kPodAffinityTerms,
  kPodPreferred,
  kPodPreferredWeights,
  kPodHasPreferred,
  kPodTolerationKeys,
  kPodTolerationOperators,
  kPodTolerationValues,
  kPodTolerationEffects,
  kPodTolerations,
  kPodSpreadKeys,
  kPodSpreadMaxSkew,
  kPodSpreadMinDomains,
  kPodSpreadWhen,
  kPodSpreadNodeAffinityPolicies,
  kPodSpreadNodeTaintsPolicies,
  kPodPorts,
  kPodImages,
  kPodRequestNames,
  kPodRequests,
  kPodRunningRequestNames,
  kPodRunningRequests,
  kPodScoringRequestNames,
  kPodScoringRequests,
};

struct ColumnInfo {
  std::string id;
  Attribute attribute{};
  Table table = Table::kNone;
  uint32_t type = 0;  // of elements, BERTH_U8..
  bool list = false;
  Changes changes = 0;
  StringId key = 0;     // of a family's member: a label key or a resource
  uint32_t number = 0;  // of a family's member: of a selector, tolerations, query, class or set
  // Whether pods of one shape can differ in it.
  bool of_instance() const { return table == Table::kPods && attribute <= Attribute::kPodQueuedAt; }
  // Whether pods of one template can, but not those of one shape.
  bool of_shape() const {
    return table == Table::kPods && !of_instance() && attribute <= Attribute::kPodControllerUid;
  }
  // Of those: whether it is part of what a pod says about other pods (ShapeTerms).
  bool of_terms() const {
    return attribute >= Attribute::kPodAffinitySelf && attribute <= Attribute::kPodSiblingsSelf;
  }
};

class Catalog {
 public:
  explicit Catalog(Strings& strings) : strings_(strings) { columns_.emplace_back(); }

  // The column of that id, which a family's member becomes when first asked for; 0 if there is
  // none.
  ColumnId find(std::string_view id);
  const ColumnInfo& info(ColumnId column) const { return columns_[column]; }
  ColumnId size() const { return static_cast<ColumnId>(columns_.size()); }

 private:
  Strings& strings_;
  std::deque<ColumnInfo> columns_;  // stay where they are
  boost::unordered_flat_map<std::string, ColumnId> ids_;
};

// Whether something declares a family ("node.label:*").
bool is_family(std::string_view declared);

// Whether a declaration ("node.label:*", or an id) covers a column.
bool covers(std::string_view declared, std::string_view id);

}  // namespace berth::model
