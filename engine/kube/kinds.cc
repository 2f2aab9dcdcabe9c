#include "engine/kube/kinds.h"

#include <algorithm>
#include <iterator>

#include "engine/base/assert.h"
#include "engine/base/text/printable.h"

namespace berth::kube {
namespace {

constexpr bool kCluster = false, kNamespaced = true;  // where objects of a kind are
constexpr bool kOptional = true;

constexpr std::string_view kCore, kStorage = "storage.k8s.io";
constexpr std::string_view kUnfinished = "status.phase!=Succeeded,status.phase!=Failed";

constexpr ServedKind kServed[] = {
    {"Namespace", kCore, "v1", "namespaces", kCluster},
    {"Node", kCore, "v1", "nodes", kCluster},
    {"Pod", kCore, "v1", "pods", kNamespaced, false, kUnfinished},
    {"Service", kCore, "v1", "services"},
    {"ReplicationController", kCore, "v1", "replicationcontrollers"},
    {"ReplicaSet", "apps", "v1", "replicasets"},
    {"StatefulSet", "apps", "v1", "statefulsets"},
    {"PodDisruptionBudget", "policy", "v1", "poddisruptionbudgets"},
    {"PersistentVolumeClaim", kCore, "v1", "persistentvolumeclaims"},
    {"PersistentVolume", kCore, "v1", "persistentvolumes", kCluster},
    {"StorageClass", kStorage, "v1", "storageclasses", kCluster},
    {"CSINode", kStorage, "v1", "csinodes", kCluster},
    {"CSIDriver", kStorage, "v1", "csidrivers", kCluster},
    {"CSIStorageCapacity", kStorage, "v1", "csistoragecapacities", kNamespaced, kOptional},
    {"VolumeAttachment", kStorage, "v1", "volumeattachments", kCluster},
    {"PodGroup", "scheduling.x-k8s.io", "v1alpha1", "podgroups", kNamespaced, kOptional},
};

// "/api/v1" for the core group, "/apis/GROUP/VERSION" for others.
std::string version_path(const ServedKind& kind) {
  std::string path = kind.group.empty() ? "/api/" : "/apis/" + std::string(kind.group) + "/";
  return path.append(kind.version);
}

}  // namespace

std::span<const ServedKind> served_kinds() { return kServed; }

const ServedKind* find_served(std::string_view name) {
  const auto* found = std::ranges::find(kServed, name, &ServedKind::name);
  return found == std::end(kServed) ? nullptr : found;
}

std::string list_path(const ServedKind& kind) {
  return version_path(kind).append("/").append(kind.resource);
}

bool is_path_segment(std::string_view text) {
  constexpr std::string_view kReserved = "/?#%\"<>\\^`{|}";
  return !text.empty() && text != "." && text != ".." && std::ranges::all_of(text, [&](char c) {
    return is_printable_ascii(c) && c != ' ' && kReserved.find(c) == kReserved.npos;
  });
}

std::string collection_path(const ServedKind& kind, std::string_view namespace_name) {
  BERTH_ASSERT(kind.namespaced ? is_path_segment(namespace_name) : namespace_name.empty());
  std::string path = version_path(kind);
  if (kind.namespaced) path.append("/namespaces/").append(namespace_name);
  return path.append("/").append(kind.resource);
}

std::string object_path(const ServedKind& kind, std::string_view namespace_name,
                        std::string_view name, std::string_view subresource) {
  BERTH_ASSERT(is_path_segment(name));
  std::string path = collection_path(kind, namespace_name).append("/").append(name);
  if (!subresource.empty()) path.append("/").append(subresource);
  return path;
}

}  // namespace berth::kube
