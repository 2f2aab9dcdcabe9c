#include "engine/ingest/validation/read_kinds.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "engine/base/text/suggestion.h"
#include "engine/ingest/objects/objects.h"

namespace berth::ingest {
namespace {

using Use = ReadKind::Use;

constexpr ReadKind kReadKinds[] = {
    {"Node", "v1"},
    {"Pod", "v1", Use::kPod},
    {"Namespace", "v1"},
    {"Service", "v1", Use::kObject, model::SelectorOwnerKind::kService},
    {"ReplicationController", "v1", Use::kObject, model::SelectorOwnerKind::kReplicationController},
    {"ReplicaSet", "apps/v1", Use::kObject, model::SelectorOwnerKind::kReplicaSet},
    {"StatefulSet", "apps/v1", Use::kObject, model::SelectorOwnerKind::kStatefulSet},
    {kDisruptionBudget, "policy/v1"},
    {"PriorityClass", "scheduling.k8s.io/v1", Use::kPolicy},
    {"RuntimeClass", "node.k8s.io/v1", Use::kPolicy},
    {"LimitRange", "v1", Use::kPolicy},
    {"ResourceQuota", "v1", Use::kPolicy},
    {"PersistentVolumeClaim", "v1", Use::kObject, {}, true},
    {"PersistentVolume", "v1", Use::kObject, {}, true},
    {"StorageClass", "storage.k8s.io/v1", Use::kObject, {}, true},
    {"CSINode", "storage.k8s.io/v1", Use::kObject, {}, true},
    {"CSIDriver", "storage.k8s.io/v1", Use::kObject, {}, true},
    {"CSIStorageCapacity", "storage.k8s.io/v1", Use::kObject, {}, true},
    {"VolumeAttachment", "storage.k8s.io/v1", Use::kObject, {}, true},
    {"PodGroup", "scheduling.x-k8s.io/v1alpha1", Use::kObject, {}, true},
    {"Eviction", "policy/v1", Use::kObject, {}, true, "policy/v1beta1"},
    {kKubeletConfiguration, "kubelet.config.k8s.io/v1beta1", Use::kObject, {}, true},
    {"PodMetrics", "metrics.k8s.io/v1beta1", Use::kObject, {}, true},
    {"NodeMetrics", "metrics.k8s.io/v1beta1", Use::kObject, {}, true},
};

// Workloads that are no owners.
constexpr ReadKind kWorkloads[] = {
    {"Deployment", "apps/v1"},
    {"DaemonSet", "apps/v1"},
    {"Job", "batch/v1"},
    {"CronJob", "batch/v1"},
};

// Groups of Kubernetes itself. In others, which custom resources define, a kind may have any name.
bool is_own_group(std::string_view group) {
  return group.find('.') == group.npos || group.ends_with(".k8s.io");
}

}  // namespace

const ReadKind* find_kind(std::string_view name) {
  const auto* found = std::ranges::find(kReadKinds, name, &ReadKind::name);
  return found == std::end(kReadKinds) ? nullptr : found;
}

std::string read_kind_names() {
  std::string text;
  for (const ReadKind& kind : kReadKinds)
    text += (text.empty() ? " " : ", ") + std::string(kind.name);
  return text;
}

std::string_view group_of(std::string_view api_version) {
  const size_t slash = api_version.find('/');
  return slash == api_version.npos ? std::string_view() : api_version.substr(0, slash);
}

bool of_other_group(const ReadKind& kind, std::string_view api_version) {
  return !api_version.empty() && group_of(api_version) != group_of(kind.api_version);
}

std::string near_kind(std::string_view kind, std::string_view api_version) {
  std::vector<std::string> names;
  bool known = false;
  const auto add = [&](const ReadKind& other) {
    known |= other.name == kind;
    if (!of_other_group(other, api_version)) names.emplace_back(other.name);
  };
  std::ranges::for_each(kReadKinds, add);
  std::ranges::for_each(kWorkloads, add);
  return known ? std::string() : nearest_word(kind, names);
}

std::optional<std::string> version_problem(std::string_view kind, std::string_view api_version) {
  const ReadKind* known = find_kind(kind);
  if (known == nullptr) {
    known = std::ranges::find(kWorkloads, kind, &ReadKind::name);
    if (known == std::end(kWorkloads)) return std::nullopt;
  }
  if (api_version.empty()) return "apiVersion not set";
  if (api_version == known->api_version || api_version == known->former_version)
    return std::nullopt;
  if (!is_own_group(group_of(api_version))) return std::nullopt;
  std::string text = "no matches for kind \"";
  text.append(kind).append("\" in version \"").append(api_version);
  return text.append("\"; it is in ").append(known->api_version);
}

std::optional<model::SelectorOwnerKind> selector_owner_kind(std::string_view kind,
                                                            std::string_view api_version) {
  const ReadKind* read = find_kind(kind);
  if (read == nullptr || of_other_group(*read, api_version)) return std::nullopt;
  return read->selector_owner;
}

bool is_object(std::string_view kind, std::string_view api_version) {
  const ReadKind* read = find_kind(kind);
  return read != nullptr && read->use == Use::kObject && !of_other_group(*read, api_version);
}

}  // namespace berth::ingest
