#pragma once

// The kinds of objects that are read from files, with their API groups; manifests aside, whose
// kinds engine/ingest/workloads knows.

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>

#include "engine/ingest/objects/objects.h"

namespace berth::ingest {

// The group of an apiVersion; "" for the core group, whose apiVersion is only a version.
inline std::string_view group_of(std::string_view api_version) {
  size_t slash = api_version.find('/');
  return slash == api_version.npos ? std::string_view() : api_version.substr(0, slash);
}

struct ReadKind {
  std::string_view name;
  std::string_view group;  // "": the core group
  std::optional<model::SelectorOwnerKind> selector_owner = std::nullopt;
};

inline constexpr ReadKind kReadKinds[] = {
    {"Node", ""},
    {"Pod", ""},
    {"Namespace", ""},
    {"Service", "", model::SelectorOwnerKind::kService},
    {"ReplicationController", "", model::SelectorOwnerKind::kReplicationController},
    {"ReplicaSet", "apps", model::SelectorOwnerKind::kReplicaSet},
    {"StatefulSet", "apps", model::SelectorOwnerKind::kStatefulSet},
    {kDisruptionBudget, "policy"},
    {"PriorityClass", "scheduling.k8s.io"},
    {"RuntimeClass", "node.k8s.io"},
    {"LimitRange", ""},
    {"ResourceQuota", ""},
    {"PersistentVolumeClaim", ""},
    {"PersistentVolume", ""},
    {"StorageClass", "storage.k8s.io"},
    {"CSINode", "storage.k8s.io"},
    {"CSIDriver", "storage.k8s.io"},
    {"CSIStorageCapacity", "storage.k8s.io"},
    {"VolumeAttachment", "storage.k8s.io"},
};

// Null: objects of this kind are not read.
inline const ReadKind* find_kind(std::string_view name) {
  const auto* found = std::ranges::find(kReadKinds, name, &ReadKind::name);
  return found == std::end(kReadKinds) ? nullptr : found;
}

inline bool is_read(std::string_view kind) { return find_kind(kind) != nullptr; }

// True if an apiVersion is given and belongs to another group than the kind.
inline bool of_other_group(const ReadKind& kind, std::string_view api_version) {
  return !api_version.empty() && group_of(api_version) != kind.group;
}

}  // namespace berth::ingest
