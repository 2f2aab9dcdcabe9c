#include "engine/model/pods/pod_columns.h"

#include "engine/base/assert.h"

namespace berth::model {
namespace {

// Calls take(value) for a flat column, or take(span) for a list column, exactly once. All strings
// were interned when the template was built.
template <typename Take>
void read_template(const ColumnInfo& column, const PodTemplate& t, Take&& take) {
  auto names = [&](const Amounts& amounts) {
    std::vector<uint32_t> ids;
    for (const auto& [name, value] : amounts) ids.push_back(name);
    take(std::span<const uint32_t>(ids));
  };
  auto values = [&](const Amounts& amounts) {
    std::vector<int64_t> numbers;
    for (const auto& [name, value] : amounts) numbers.push_back(value);
    take(std::span<const int64_t>(numbers));
  };
  switch (column.attribute) {
    case Attribute::kPodSchedulerName:
      return take(t.scheduler_name);
    case Attribute::kPodPriority:
      return take(int64_t{t.priority});
    case Attribute::kPodPreemptionPolicy:
      return take(t.preemption_policy);
    case Attribute::kPodNodeName:
      return take(t.node_name);
    case Attribute::kPodSchedulingGates:
      return take(std::span<const uint32_t>(t.scheduling_gates));
    case Attribute::kPodNodeSelector:
      return take(t.node_selector);
    case Attribute::kPodHasNodeSelector:
      return take(static_cast<uint8_t>(t.spec.has_node_selector));
    case Attribute::kPodAffinity:
      return take(t.affinity);
    case Attribute::kPodAffinityNamesNodes:
      return take(static_cast<uint8_t>(t.affinity_names_nodes));
    case Attribute::kPodAffinityNodeNames:
      return take(std::span<const uint32_t>(t.affinity_node_names));
    case Attribute::kPodAffinityTerms:
      return take(t.affinity_terms());
    case Attribute::kPodPreferred:
      return take(std::span<const uint32_t>(t.preferred));
    case Attribute::kPodPreferredWeights:
      return take(std::span<const int64_t>(t.preferred_weights));
    case Attribute::kPodHasPreferred:
      return take(static_cast<uint8_t>(t.spec.affinity.has_node_preferred));
    case Attribute::kPodTolerationKeys:
      return take(std::span<const uint32_t>(t.toleration_keys));
    case Attribute::kPodTolerationOperators:
      return take(std::span<const uint32_t>(t.toleration_operators));
    case Attribute::kPodTolerationValues:
      return take(std::span<const uint32_t>(t.toleration_values));
    case Attribute::kPodTolerationEffects:
      return take(std::span<const uint32_t>(t.toleration_effects));
    case Attribute::kPodTolerations:
      return take(t.tolerations);
    case Attribute::kPodSpreadKeys:
      return take(std::span<const uint32_t>(t.spread_keys));
    case Attribute::kPodSpreadMaxSkew:
      return take(std::span<const int64_t>(t.spread_max_skew));
    case Attribute::kPodSpreadMinDomains:
      return take(std::span<const int64_t>(t.spread_min_domains));
    case Attribute::kPodSpreadWhen:
      return take(std::span<const uint32_t>(t.spread_when));
    case Attribute::kPodSpreadNodeAffinityPolicies:
      return take(std::span<const uint32_t>(t.spread_affinity_policies));
    case Attribute::kPodSpreadNodeTaintsPolicies:
      return take(std::span<const uint32_t>(t.spread_taints_policies));
    case Attribute::kPodClaims:
      return take(std::span<const uint64_t>(t.claims));
    case Attribute::kPodClaimOwners:
      return take(std::span<const uint32_t>(t.claim_owners));
    case Attribute::kPodClaimOwnerNames:
      return take(std::span<const uint32_t>(t.claim_owner_names));
    case Attribute::kPodDisks:
      return take(std::span<const uint64_t>(t.disks));
    case Attribute::kPodInlineVolumes:
      return take(std::span<const uint64_t>(t.inline_volumes));
    case Attribute::kPodCsiDrivers:
      return take(std::span<const uint32_t>(t.csi_drivers));
    case Attribute::kPodPorts:
      return take(std::span<const uint64_t>(t.ports));
    case Attribute::kPodImages:
      return take(std::span<const uint32_t>(t.images));
    case Attribute::kPodRequestNames:
      return names(t.requests);
    case Attribute::kPodRequests:
      return values(t.requests);
    case Attribute::kPodRunningRequestNames:
      return names(t.running);
    case Attribute::kPodRunningRequests:
      return values(t.running);
    case Attribute::kPodScoringRequestNames:
      return names(t.scoring);
    case Attribute::kPodScoringRequests:
      return values(t.scoring);
    default:
      BERTH_ASSERT(false && "not a column of pods");
  }
}

template <typename Take>
void read_controller(const ColumnInfo& column, Cluster& cluster, const PodRecord& pod,
                     Take&& take) {
  if (pod.controller == 0) return take(StringId{0});
  const ControllerNames& owner = cluster.templates().controller_names(pod.controller);
  switch (column.attribute) {
    case Attribute::kPodControllerApiVersion:
      return take(owner.api_version);
    case Attribute::kPodControllerKind:
      return take(owner.kind);
    case Attribute::kPodControllerName:
      return take(owner.name);
    default:
      return take(owner.uid);
  }
}

// Reads the terms about other pods.
template <typename Take>
void read_terms(const ColumnInfo& column, const ShapeTerms& terms, Take&& take) {
  auto ids = [&](const std::vector<uint32_t>& list) { take(std::span<const uint32_t>(list)); };
  auto bytes = [&](const std::vector<uint8_t>& list) { take(std::span<const uint8_t>(list)); };
  auto group = [&](TermGroup which) -> const TermList& { return terms.of(which); };
  auto weights = [&](TermGroup which) { take(std::span<const int64_t>(terms.of(which).weights)); };
  switch (column.attribute) {
    case Attribute::kPodAffinitySelf:
      return bytes(terms.affinity_self);
    case Attribute::kPodPodAffinityTerms:
      return ids(group(TermGroup::kAffinity).terms);
    case Attribute::kPodPodAffinityKeys:
      return ids(group(TermGroup::kAffinity).keys);
    case Attribute::kPodPodAntiAffinityTerms:
      return ids(group(TermGroup::kAntiAffinity).terms);
    case Attribute::kPodPodAntiAffinityKeys:
      return ids(group(TermGroup::kAntiAffinity).keys);
    case Attribute::kPodPreferredPodAffinityTerms:
      return ids(group(TermGroup::kPreferredAffinity).terms);
    case Attribute::kPodPreferredPodAffinityKeys:
      return ids(group(TermGroup::kPreferredAffinity).keys);
    case Attribute::kPodPreferredPodAffinityWeights:
      return weights(TermGroup::kPreferredAffinity);
    case Attribute::kPodPreferredPodAntiAffinityTerms:
      return ids(group(TermGroup::kPreferredAntiAffinity).terms);
    case Attribute::kPodPreferredPodAntiAffinityKeys:
      return ids(group(TermGroup::kPreferredAntiAffinity).keys);
    case Attribute::kPodPreferredPodAntiAffinityWeights:
      return weights(TermGroup::kPreferredAntiAffinity);
    case Attribute::kPodPodAffinityProblem:
      return take(terms.problem);
    case Attribute::kPodSpreadTerms:
      return ids(terms.spread.terms);
    case Attribute::kPodSpreadSelf:
      return bytes(terms.spread.self);
    case Attribute::kPodSpreadSelectsAll:
      return bytes(terms.spread.selects_all);
    case Attribute::kPodSpreadProblems:
      return ids(terms.spread.problems);
    case Attribute::kPodSiblings:
      return take(terms.siblings);
    case Attribute::kPodSiblingsSelf:
      return take(static_cast<uint8_t>(terms.siblings_self));
    default:
      BERTH_ASSERT(false && "not a column of pods");
  }
}

int64_t group_value(Attribute attribute, const Cluster& cluster, const PodRecord& pod) {
  if (cluster.pod_groups().empty()) return 0;
  const auto* group =
      cluster.pod_groups().find(pod.namespace_name, cluster.templates().labels(pod.labels));
  if (group == nullptr) return 0;
  switch (attribute) {
    case Attribute::kPodGroup:
      return group->number;
    case Attribute::kPodGroupMinMember:
      return group->min_member;
    case Attribute::kPodGroupCreatedAt:
      return group->created_at;
    case Attribute::kPodGroupTimeoutSeconds:
      return group->timeout_seconds;
    default:
      return group->placed;
  }
}

// Reads values in which pods of one template can differ.
template <typename Take>
void read(const ColumnInfo& column, Cluster& cluster, const PodRecord& pod, Take&& take) {
  switch (column.attribute) {
    case Attribute::kPodHandle:
      return take(pod.id.handle());
    case Attribute::kPodName:
      return take(pod.name);
    case Attribute::kPodUid:
      return take(pod.uid);
    case Attribute::kPodQueuedAt:
      return take(static_cast<int64_t>(pod.queue_time));
    case Attribute::kPodNominatedNode:
      return take(pod.nominated_node);
    case Attribute::kPodCreatedAt:
      return take(pod.created_at);
    case Attribute::kPodStartedAt:
      return take(pod.started_at.value_or(INT64_MAX));
    case Attribute::kPodTerminating:
      return take(static_cast<uint8_t>(pod.terminating));
    case Attribute::kPodPreempted:
      return take(static_cast<uint8_t>(pod.preempted));
    case Attribute::kPodBudgets: {
      std::vector<uint32_t> budgets;
      // Spares a look at the labels of every pod of a dry run.
      if (cluster.budgets().size() == 0) return take(std::span<const uint32_t>(budgets));
      cluster.budgets().find(pod, cluster.templates().labels(pod.labels), budgets);
      return take(std::span<const uint32_t>(budgets));
    }
    case Attribute::kPodGroup:
    case Attribute::kPodGroupMinMember:
    case Attribute::kPodGroupCreatedAt:
    case Attribute::kPodGroupTimeoutSeconds:
    case Attribute::kPodGroupPlaced:
      return take(group_value(column.attribute, cluster, pod));
    case Attribute::kPodAnnotation:
      return take(cluster.annotation(pod, column.key));
    case Attribute::kPodNamespace:
      return take(pod.namespace_name);
    case Attribute::kPodLabel:
      return take(label_value(cluster.templates().labels(pod.labels), column.key));
    case Attribute::kPodControllerApiVersion:
    case Attribute::kPodControllerKind:
    case Attribute::kPodControllerName:
    case Attribute::kPodControllerUid:
      return read_controller(column, cluster, pod, take);
    case Attribute::kPodVolumesVersion:
      return take(cluster.templates()[pod.pod_template].has_volumes()
                      ? static_cast<int64_t>(cluster.volumes().version())
                      : int64_t{0});
    case Attribute::kPodCarried:
      return take(cluster.carried().match_set(column.number, cluster.shape(pod)));
    case Attribute::kPodMatches:
      return take(
          static_cast<uint8_t>(cluster.shapes().matches(column.number, cluster.shape(pod), false)));
    default:
      if (column.of_terms())
        return read_terms(column, cluster.shapes().terms(cluster.shape(pod)), take);
      return read_template(column, cluster.templates()[pod.pod_template], take);
  }
}

}  // namespace

void gather_pods(const ColumnInfo& column, Cluster& cluster, std::span<const PodRecord* const> pods,
                 Gathered& out) {
  for (const PodRecord* pod : pods)
    read(column, cluster, *pod, [&](auto what) {
      if constexpr (requires { what.data(); })
        out.list(what);
      else
        out.value(what);
    });
}

void append_identity(const ColumnInfo& column, Cluster& cluster, const PodRecord& pod,
                     std::string& identity) {
  auto bytes = [&](const void* data, size_t size) {
    identity.append(static_cast<const char*>(data), size);
  };
  read(column, cluster, pod, [&](auto what) {
    if constexpr (requires { what.data(); }) {
      size_t size = what.size();
      bytes(&size, sizeof size);
      bytes(what.data(), what.size_bytes());
    } else {
      bytes(&what, sizeof what);
    }
  });
}

void append_identity(const ColumnInfo& column, Cluster& cluster, const PodRecord& pod,
                     std::vector<uint64_t>& identity) {
  read(column, cluster, pod, [&](auto what) {
    if constexpr (requires { what.data(); }) {
      identity.push_back(what.size());
      for (const auto element : what) identity.push_back(static_cast<uint64_t>(element));
    } else {
      identity.push_back(static_cast<uint64_t>(what));
    }
  });
}

}  // namespace berth::model
