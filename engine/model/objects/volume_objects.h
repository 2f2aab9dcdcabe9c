#pragma once

// The objects that say where volumes are, reduced to the fields that scheduling reads. Plain
// values, as in objects.h. Sources: k8s.io/api core/v1, storage/v1.

#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/model/objects/objects.h"

namespace berth::model {

struct PersistentVolumeClaim {
  std::string namespace_name, name, uid;
  std::string owner_uid;      // of the managing owner; empty: none
  std::string volume_name;    // spec.volumeName; empty: not set
  std::string storage_class;  // the beta annotation before the field; empty: none
  bool has_class = false;     // the field or the annotation is there, if only as ""
  std::string selected_node;  // annotation volume.kubernetes.io/selected-node
  bool has_selected_node = false;
  bool bind_completed = false;  // annotation pv.kubernetes.io/bind-completed is there
  bool lost = false;            // status.phase is Lost
  bool terminating = false;
  bool block = false;  // volumeMode is Block
  std::vector<std::string> access_modes;
  std::optional<int64_t> storage;  // request for storage, bytes
  std::optional<LabelSelector> selector;
  std::string attributes_class;
  bool operator==(const PersistentVolumeClaim&) const = default;
};

// The reclaim policy: it says what happens to a volume when its claim is deleted.
enum class Reclaim : uint8_t {
  kRetain,   // it stays, and no other claim gets it
  kDelete,   // it goes
  kRecycle,  // it is emptied and available again
};

struct PersistentVolume {
  std::string name;
  StringMap labels;
  bool has_claim = false;  // spec.claimRef
  std::string claim_namespace, claim_name, claim_uid;
  std::string storage_class;  // the beta annotation before the field
  std::string attributes_class;
  std::vector<std::string> access_modes;
  int64_t storage = 0;  // capacity, bytes
  bool block = false;
  bool available = false;  // status.phase is Available
  bool terminating = false;
  Reclaim reclaim = Reclaim::kRetain;
  std::optional<NodeSelector> node_affinity;  // spec.nodeAffinity.required
  std::string csi_driver, csi_handle;         // spec.csi; empty: another kind of volume
  std::string plugin, plugin_handle;          // in-tree source that CSI drivers replace
  bool operator==(const PersistentVolume&) const = default;
};

struct StorageClass {
  std::string name, provisioner;
  bool has_binding_mode = false;
  bool waits = false;                  // volumeBindingMode is WaitForFirstConsumer
  Reclaim reclaim = Reclaim::kDelete;  // of the volumes that it provisions
  std::vector<NodeSelectorTerm> allowed_topologies;
  bool is_default = false;  // of claims without a class
  int64_t created_at = 0;   // nanoseconds since 1970; 0: unknown
  bool operator==(const StorageClass&) const = default;
};

struct CsiNode {
  struct Driver {
    std::string name;
    std::optional<int64_t> count;  // allocatable.count
    std::vector<std::string> topology_keys;
    bool operator==(const Driver&) const = default;
  };
  std::string name;
  std::vector<Driver> drivers;
  std::string migrated_plugins;  // annotation storage.alpha.kubernetes.io/migrated-plugins
  bool operator==(const CsiNode&) const = default;
};

struct CsiDriver {
  std::string name;
  bool storage_capacity = false;
  bool operator==(const CsiDriver&) const = default;
};

struct CsiStorageCapacity {
  std::string namespace_name, name;
  std::string storage_class;
  std::optional<LabelSelector> node_topology;
  std::optional<int64_t> limit;     // maximumVolumeSize, or else capacity, bytes
  std::optional<int64_t> capacity;  // bytes
  bool operator==(const CsiStorageCapacity&) const = default;
};

struct VolumeAttachment {
  std::string name, attacher, node_name;
  std::string volume_name;  // spec.source.persistentVolumeName; empty: none
  bool operator==(const VolumeAttachment&) const = default;
};

using VolumeObject = std::variant<PersistentVolumeClaim, PersistentVolume, StorageClass, CsiNode,
                                  CsiDriver, CsiStorageCapacity, VolumeAttachment>;

// The name of the object's kind in the API.
constexpr std::string_view kind_of(const VolumeObject& object) {
  constexpr std::string_view kKinds[] = {
      "PersistentVolumeClaim", "PersistentVolume", "StorageClass", "CSINode", "CSIDriver",
      "CSIStorageCapacity",    "VolumeAttachment"};
  static_assert(std::size(kKinds) == std::variant_size_v<VolumeObject>);
  return kKinds[object.index()];
}

// The object's name, with its namespace and a slash before it if its kind has namespaces.
inline std::string full_name(const VolumeObject& object) {
  return std::visit(
      [](const auto& one) {
        if constexpr (requires { one.namespace_name; }) return one.namespace_name + "/" + one.name;
        return one.name;
      },
      object);
}

}  // namespace berth::model
