// The table of the columns of pods. A row names what holds the value:
//
//   a member of PodRecord, or a function of one         pods of one shape can differ in it
//   a member of ShapeTerms or ControllerNames           shapes of one template can
//   a member of PodTemplate, or a function of one       neither can
//   a function of the column, the cluster and the pod   anything else
//
// The type of the column, its scope and the functions that read it follow from that. The functions
// are made for each row, so that a read is one call that knows the member.

#include "engine/model/pods/pod_columns.h"

#include <algorithm>
#include <functional>
#include <type_traits>

#include "berth/abi/column.h"

namespace berth::model {
namespace {

// Values that are no members.

uint64_t handle_of(const PodRecord& pod) { return pod.id.handle(); }
int64_t queued_at(const PodRecord& pod) { return static_cast<int64_t>(pod.queue_time); }
int64_t started_at(const PodRecord& pod) { return pod.started_at.value_or(INT64_MAX); }

bool has_node_selector(const PodTemplate& t) { return t.spec.has_node_selector; }
bool restarts_all(const PodTemplate& t) {
  const auto restarts = [](const Container& container) { return container.restart_all; };
  return std::ranges::any_of(t.spec.containers, restarts) ||
         std::ranges::any_of(t.spec.init_containers, restarts);
}
bool host_user_namespace(const PodTemplate& t) { return t.spec.host_user_namespace; }
bool has_preferred(const PodTemplate& t) { return t.spec.affinity.has_node_preferred; }

template <Amounts PodTemplate::*kAmounts>
std::vector<uint32_t> resources_of(const PodTemplate& t) {
  std::vector<uint32_t> ids;
  for (const auto& [name, value] : t.*kAmounts) ids.push_back(name);
  return ids;
}
template <Amounts PodTemplate::*kAmounts>
std::vector<int64_t> amounts_of(const PodTemplate& t) {
  std::vector<int64_t> numbers;
  for (const auto& [name, value] : t.*kAmounts) numbers.push_back(value);
  return numbers;
}

// Of containers, in the order of the spec.

template <std::vector<Container> PodSpec::*kContainers, ResourceList Container::*kAmounts>
std::vector<int64_t> container_amounts(const ColumnInfo& column, const Cluster& cluster,
                                       const PodRecord& pod) {
  const std::string_view resource = cluster.text(column.key);
  std::vector<int64_t> amounts;
  for (const Container& one : cluster.templates()[pod.pod_template].spec.*kContainers) {
    const ResourceList& list = one.*kAmounts;
    const auto at = std::ranges::find(list, resource, &ResourceList::value_type::first);
    amounts.push_back(at == list.end() ? 0 : resource_amount(resource, at->second));
  }
  return amounts;
}
std::vector<uint8_t> restarts_of(const PodTemplate& t) {
  std::vector<uint8_t> restarts;
  for (const Container& one : t.spec.init_containers) restarts.push_back(one.restart_always);
  return restarts;
}
template <auto kName>
const auto& container_name(const ColumnInfo&, const Cluster& cluster, const PodRecord& pod) {
  return cluster.templates().container_names(pod.pod_template).*kName;
}

template <TermGroup kGroup, auto kList>
const auto& terms_of(const ShapeTerms& terms) {
  return terms.of(kGroup).*kList;
}
template <auto kList>
const auto& spread_of(const ShapeTerms& terms) {
  return terms.spread.*kList;
}

std::vector<uint32_t> budgets_of(const ColumnInfo&, const Cluster& cluster, const PodRecord& pod) {
  std::vector<uint32_t> budgets;
  // Spares a look at the labels of every pod of a dry run.
  if (cluster.budgets().size() != 0)
    cluster.budgets().find(pod, cluster.templates().labels(pod.labels), budgets);
  return budgets;
}
template <int64_t PodGroups::Group::*kMember>
int64_t group_value(const ColumnInfo&, const Cluster& cluster, const PodRecord& pod) {
  if (cluster.pod_groups().empty()) return 0;
  const auto* group =
      cluster.pod_groups().find(pod.namespace_name, cluster.templates().labels(pod.labels));
  return group == nullptr ? 0 : group->*kMember;
}
StringId annotation_of(const ColumnInfo& column, const Cluster& cluster, const PodRecord& pod) {
  return cluster.annotation(pod, column.key);
}
StringId label_of(const ColumnInfo& column, const Cluster& cluster, const PodRecord& pod) {
  return label_value(cluster.templates().labels(pod.labels), column.key);
}
int64_t volumes_version_of(const ColumnInfo&, Cluster& cluster, const PodRecord& pod) {
  return cluster.templates()[pod.pod_template].has_volumes()
             ? static_cast<int64_t>(cluster.volumes().version())
             : 0;
}
uint32_t carried_of(const ColumnInfo& column, Cluster& cluster, const PodRecord& pod) {
  return cluster.carried().match_set(column.number, cluster.shape(pod));
}
bool matches_term(const ColumnInfo& column, Cluster& cluster, const PodRecord& pod) {
  return cluster.shapes().matches(column.number, cluster.shape(pod), false);
}

// The member or function that a row names, and how it is read.

template <auto kFrom, typename... Of>
constexpr bool kIsOf = std::is_invocable_v<decltype(kFrom), const Of&...>;

template <auto kFrom>
constexpr PodScope scope_of() {
  if (kIsOf<kFrom, PodRecord> || kIsOf<kFrom, ColumnInfo, Cluster, PodRecord>)
    return PodScope::kPod;
  if (kIsOf<kFrom, PodTemplate>) return PodScope::kTemplate;
  return kIsOf<kFrom, ShapeTerms> ? PodScope::kTerms : PodScope::kFound;
}

template <auto kFrom>
decltype(auto) value_of(const ColumnInfo& column, Cluster& cluster, const PodRecord& pod) {
  if constexpr (kIsOf<kFrom, PodRecord>) {
    return std::invoke(kFrom, pod);
  } else if constexpr (kIsOf<kFrom, PodTemplate>) {
    return std::invoke(kFrom, std::as_const(cluster).templates()[pod.pod_template]);
  } else if constexpr (kIsOf<kFrom, ShapeTerms>) {
    return std::invoke(kFrom, cluster.shapes().terms(cluster.shape(pod)));
  } else if constexpr (kIsOf<kFrom, ControllerNames>) {
    return pod.controller == 0
               ? StringId{0}
               : std::invoke(kFrom, cluster.templates().controller_names(pod.controller));
  } else {
    return kFrom(column, cluster, pod);
  }
}

// Calls take(value) with a number, or take(span) with the elements of a list, of the column's type.
template <auto kFrom, typename Take>
void read_pod(const ColumnInfo& column, Cluster& cluster, const PodRecord& pod, Take&& take) {
  decltype(auto) value = value_of<kFrom>(column, cluster, pod);
  using Value = std::remove_cvref_t<decltype(value)>;
  if constexpr (requires { value.data(); }) {
    take(std::span<const typename Value::value_type>(value));
  } else if constexpr (std::is_same_v<Value, bool>) {
    take(uint8_t{value});
  } else if constexpr (std::is_same_v<Value, int32_t>) {
    take(int64_t{value});
  } else {
    take(Value{value});
  }
}

template <auto kFrom>
constexpr PodReader kReader = {
    [](const ColumnInfo& column, Cluster& cluster, std::span<const PodRecord* const> pods,
       Gathered& out) {
      for (const PodRecord* pod : pods)
        read_pod<kFrom>(column, cluster, *pod, [&](auto what) {
          if constexpr (requires { what.data(); })
            out.list(what);
          else
            out.value(what);
        });
    },
    [](const ColumnInfo& column, Cluster& cluster, const PodRecord& pod, std::string& identity) {
      const auto bytes = [&](const void* data, size_t size) {
        identity.append(static_cast<const char*>(data), size);
      };
      read_pod<kFrom>(column, cluster, pod, [&](auto what) {
        if constexpr (requires { what.data(); }) {
          const size_t size = what.size();
          bytes(&size, sizeof size);
          bytes(what.data(), what.size_bytes());
        } else {
          bytes(&what, sizeof what);
        }
      });
    },
    [](const ColumnInfo& column, Cluster& cluster, const PodRecord& pod,
       std::vector<uint64_t>& identity) {
      read_pod<kFrom>(column, cluster, pod, [&](auto what) {
        if constexpr (requires { what.data(); }) {
          identity.push_back(what.size());
          for (const auto element : what) identity.push_back(static_cast<uint64_t>(element));
        } else {
          identity.push_back(static_cast<uint64_t>(what));
        }
      });
    }};

template <typename T>
constexpr uint32_t type_of() {
  if (std::is_same_v<T, bool> || std::is_same_v<T, uint8_t>) return BERTH_U8;
  if (std::is_same_v<T, int32_t> || std::is_same_v<T, int64_t>) return BERTH_I64;
  return std::is_same_v<T, uint32_t> ? BERTH_U32 : BERTH_U64;
}

template <auto kFrom, PodScope kScope = scope_of<kFrom>()>
constexpr KnownColumn pod_column(std::string_view name, uint16_t since_minor = 0,
                                 Attribute attribute = Attribute::kPod) {
  using Value = std::remove_cvref_t<decltype(value_of<kFrom>(
      std::declval<const ColumnInfo&>(), std::declval<Cluster&>(), std::declval<PodRecord&>()))>;
  KnownColumn made{
      .name = name,
      .attribute = attribute,
      .table = Table::kPods,
      .since_minor = since_minor,
      .numbered = attribute == Attribute::kPodCarried || attribute == Attribute::kPodMatches,
      .scope = kScope,
      .reader = &kReader<kFrom>};
  if constexpr (requires(Value value) { value.data(); }) {
    made.type = type_of<typename Value::value_type>();
    made.list = true;
  } else {
    made.type = type_of<Value>();
  }
  return made;
}

// Of containers or of init containers.
template <std::vector<Container> PodSpec::*kContainers, ResourceList Container::*kAmounts>
constexpr KnownColumn amounts_column(std::string_view family) {
  return pod_column<&container_amounts<kContainers, kAmounts>, PodScope::kTemplate>(family, 3);
}
template <auto kName>
constexpr KnownColumn names_column(std::string_view name) {
  return pod_column<&container_name<kName>, PodScope::kTemplate>(name, 3,
                                                                 Attribute::kPodContainers);
}

constexpr KnownColumn kPodColumns[] = {
    pod_column<&handle_of>("pod.handle"),
    pod_column<&PodRecord::namespace_name, PodScope::kShape>("pod.namespace"),
    pod_column<&PodRecord::name>("pod.name"),
    pod_column<&PodRecord::uid>("pod.uid"),
    pod_column<&label_of, PodScope::kShape>("pod.label:"),
    pod_column<&PodRecord::nominated_node>("pod.nominated_node"),
    pod_column<&PodRecord::created_at>("pod.created_at"),
    pod_column<&started_at>("pod.started_at"),
    pod_column<&PodRecord::terminating>("pod.terminating"),
    pod_column<&PodRecord::preempted>("pod.preempted"),
    pod_column<&budgets_of>("pod.budgets"),
    pod_column<&group_value<&PodGroups::Group::number>>("pod.group", 3),
    pod_column<&group_value<&PodGroups::Group::min_member>>("pod.group_min_member", 3),
    pod_column<&group_value<&PodGroups::Group::created_at>>("pod.group_created_at", 3),
    pod_column<&group_value<&PodGroups::Group::timeout_seconds>>("pod.group_timeout_seconds", 3),
    pod_column<&group_value<&PodGroups::Group::placed>>("pod.group_placed", 3),
    pod_column<&annotation_of>("pod.annotation:", 3, Attribute::kPodAnnotation),
    pod_column<&queued_at>("pod.queued_at"),
    pod_column<&PodTemplate::scheduler_name>("pod.scheduler_name"),
    pod_column<&PodTemplate::priority>("pod.priority"),
    pod_column<&PodTemplate::preemption_policy>("pod.preemption_policy"),
    pod_column<&PodTemplate::node_name>("pod.node_name"),
    pod_column<&PodTemplate::scheduling_gates>("pod.scheduling_gates"),
    pod_column<&PodTemplate::node_selector>("pod.node_selector"),
    pod_column<&has_node_selector>("pod.has_node_selector"),
    pod_column<&PodTemplate::affinity>("pod.affinity"),
    pod_column<&PodTemplate::affinity_names_nodes>("pod.affinity_names_nodes"),
    pod_column<&PodTemplate::affinity_node_names>("pod.affinity_node_names"),
    pod_column<&PodTemplate::affinity_terms>("pod.affinity_terms"),
    pod_column<&PodTemplate::preferred>("pod.preferred"),
    pod_column<&PodTemplate::preferred_weights>("pod.preferred_weights"),
    pod_column<&has_preferred>("pod.has_preferred"),
    pod_column<&PodTemplate::toleration_keys>("pod.toleration_keys"),
    pod_column<&PodTemplate::toleration_operators>("pod.toleration_operators"),
    pod_column<&PodTemplate::toleration_values>("pod.toleration_values"),
    pod_column<&PodTemplate::toleration_effects>("pod.toleration_effects"),
    pod_column<&PodTemplate::tolerations>("pod.tolerations"),
    pod_column<&ControllerNames::api_version>("pod.controller_api_version"),
    pod_column<&ControllerNames::kind>("pod.controller_kind"),
    pod_column<&ControllerNames::name>("pod.controller_name"),
    pod_column<&ControllerNames::uid>("pod.controller_uid"),
    pod_column<&ShapeTerms::siblings>("pod.siblings"),
    pod_column<&ShapeTerms::siblings_self>("pod.siblings_self"),
    pod_column<&PodTemplate::spread_keys>("pod.spread_keys"),
    pod_column<&PodTemplate::spread_max_skew>("pod.spread_max_skew"),
    pod_column<&PodTemplate::spread_min_domains>("pod.spread_min_domains"),
    pod_column<&PodTemplate::spread_when>("pod.spread_when"),
    pod_column<&PodTemplate::spread_affinity_policies>("pod.spread_node_affinity_policies"),
    pod_column<&PodTemplate::spread_taints_policies>("pod.spread_node_taints_policies"),
    pod_column<&spread_of<&SpreadTerms::terms>>("pod.spread_terms"),
    pod_column<&spread_of<&SpreadTerms::self>>("pod.spread_self"),
    pod_column<&spread_of<&SpreadTerms::selects_all>>("pod.spread_selects_all"),
    pod_column<&spread_of<&SpreadTerms::problems>>("pod.spread_problems"),
    pod_column<&terms_of<TermGroup::kAffinity, &TermList::terms>>("pod.pod_affinity_terms"),
    pod_column<&terms_of<TermGroup::kAffinity, &TermList::keys>>("pod.pod_affinity_keys"),
    pod_column<&ShapeTerms::affinity_self>("pod.pod_affinity_self"),
    pod_column<&terms_of<TermGroup::kAntiAffinity, &TermList::terms>>(
        "pod.pod_anti_affinity_terms"),
    pod_column<&terms_of<TermGroup::kAntiAffinity, &TermList::keys>>("pod.pod_anti_affinity_keys"),
    pod_column<&terms_of<TermGroup::kPreferredAffinity, &TermList::terms>>(
        "pod.preferred_pod_affinity_terms"),
    pod_column<&terms_of<TermGroup::kPreferredAffinity, &TermList::keys>>(
        "pod.preferred_pod_affinity_keys"),
    pod_column<&terms_of<TermGroup::kPreferredAffinity, &TermList::weights>>(
        "pod.preferred_pod_affinity_weights"),
    pod_column<&terms_of<TermGroup::kPreferredAntiAffinity, &TermList::terms>>(
        "pod.preferred_pod_anti_affinity_terms"),
    pod_column<&terms_of<TermGroup::kPreferredAntiAffinity, &TermList::keys>>(
        "pod.preferred_pod_anti_affinity_keys"),
    pod_column<&terms_of<TermGroup::kPreferredAntiAffinity, &TermList::weights>>(
        "pod.preferred_pod_anti_affinity_weights"),
    pod_column<&ShapeTerms::problem>("pod.pod_affinity_problem"),
    pod_column<&carried_of>("pod.carried:", 0, Attribute::kPodCarried),
    pod_column<&matches_term>("pod.matches:", 0, Attribute::kPodMatches),
    pod_column<&volumes_version_of>("pod.volumes_version"),
    pod_column<&PodTemplate::claims>("pod.claims"),
    pod_column<&PodTemplate::claim_owners>("pod.claim_owners"),
    pod_column<&PodTemplate::claim_owner_names>("pod.claim_owner_names"),
    pod_column<&PodTemplate::disks>("pod.disks"),
    pod_column<&PodTemplate::inline_volumes>("pod.inline_volumes"),
    pod_column<&PodTemplate::csi_drivers>("pod.csi_drivers"),
    pod_column<&restarts_all>("pod.restarts_all_containers", 3),
    pod_column<&host_user_namespace>("pod.host_user_namespace", 3),
    names_column<&ContainerNames::containers>("pod.containers"),
    amounts_column<&PodSpec::containers, &Container::requests>("pod.container_requests:"),
    amounts_column<&PodSpec::containers, &Container::limits>("pod.container_limits:"),
    names_column<&ContainerNames::init_containers>("pod.init_containers"),
    amounts_column<&PodSpec::init_containers, &Container::requests>("pod.init_container_requests:"),
    amounts_column<&PodSpec::init_containers, &Container::limits>("pod.init_container_limits:"),
    pod_column<&restarts_of>("pod.init_container_restarts", 3),
    names_column<&ContainerNames::qos_class>("pod.qos_class"),
    pod_column<&PodTemplate::ports>("pod.ports"),
    pod_column<&PodTemplate::images>("pod.images"),
    pod_column<&PodTemplate::volume_images>("pod.volume_images", 3),
    pod_column<&resources_of<&PodTemplate::requests>>("pod.request_names"),
    pod_column<&amounts_of<&PodTemplate::requests>>("pod.requests"),
    pod_column<&resources_of<&PodTemplate::running>>("pod.running_request_names"),
    pod_column<&amounts_of<&PodTemplate::running>>("pod.running_requests"),
    pod_column<&resources_of<&PodTemplate::scoring>>("pod.scoring_request_names"),
    pod_column<&amounts_of<&PodTemplate::scoring>>("pod.scoring_requests"),
};

}  // namespace

std::span<const KnownColumn> pod_columns() { return kPodColumns; }

}  // namespace berth::model
