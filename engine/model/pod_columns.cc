#include "engine/model/pod_columns.h"

#include "engine/base/assert.h"

namespace berth::model {
namespace {

// Calls take(value) for a flat column or take(span) for a list column, once. Strings of the spec
// that are only needed here are interned by the reader's caller beforehand, see PodTemplate.
template <typename Take>
void read(const ColumnInfo& column, const PodTemplates& templates, const PodRef& pod, Take&& take) {
  const PodTemplate& t = templates[pod.pod_template];
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
    case Attribute::kPodHandle:
      return take(pod.handle);
    case Attribute::kPodNamespace:
      return take(pod.namespace_name);
    case Attribute::kPodName:
      return take(pod.name);
    case Attribute::kPodUid:
      return take(pod.uid);
    case Attribute::kPodLabel:
      return take(label_value(templates.labels(pod.labels), column.key));
    case Attribute::kPodQueuedAt:
      return take(static_cast<int64_t>(pod.queued_at));
    case Attribute::kPodSchedulerName:
      return take(t.scheduler_name);
    case Attribute::kPodPriority:
      return take(int64_t{t.priority});
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

}  // namespace

void gather_pods(const ColumnInfo& column, const PodTemplates& templates,
                 std::span<const PodRef> pods, Gathered& out) {
  for (const PodRef& pod : pods)
    read(column, templates, pod, [&](auto what) {
      if constexpr (requires { what.data(); })
        out.list(what);
      else
        out.value(what);
    });
}

void append_identity(const ColumnInfo& column, const PodTemplates& templates, const PodRef& pod,
                     std::string& identity) {
  auto bytes = [&](const void* data, size_t size) {
    identity.append(static_cast<const char*>(data), size);
  };
  read(column, templates, pod, [&](auto what) {
    if constexpr (requires { what.data(); }) {
      size_t size = what.size();
      bytes(&size, sizeof size);
      bytes(what.data(), what.size_bytes());
    } else {
      bytes(&what, sizeof what);
    }
  });
}

}  // namespace berth::model
