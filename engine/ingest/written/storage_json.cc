// Writes the objects of storage and the volumes of pods as JSON.

#include "engine/ingest/volumes/disk_names.h"
#include "engine/ingest/written/json_parts.h"
#include "engine/ingest/written/object_json.h"

namespace berth::ingest {
namespace {

template <typename Write>
void write_storage(std::string_view group, std::string_view kind, std::string& out, Write&& write) {
  rapidjson::StringBuffer buffer;
  JsonWriter json(buffer);
  json.object([&] {
    json.member("apiVersion", group);
    json.member("kind", kind);
    write(json);
  });
  out.append(buffer.GetString(), buffer.GetSize());
}

// `others` writes the members behind the names.
template <typename Object, typename Write>
void metadata(JsonWriter& json, const Object& object, Write&& others) {
  json.object("metadata", [&] {
    if constexpr (requires { object.namespace_name; })
      json.member("namespace", object.namespace_name);
    json.member("name", object.name);
    others();
  });
}

template <typename Object>
void metadata(JsonWriter& json, const Object& object) {
  metadata(json, object, [] {});
}

void node_terms(JsonWriter& json, const model::NodeSelector& selector) {
  const auto requirements = [&](std::string_view name, const auto& list) {
    json.array_if(name, list, [&](const model::Requirement& one) {
      json.object([&] {
        json.member("key", one.key);
        json.member("operator", one.op);
        json.texts_if("values", one.values);
      });
    });
  };
  json.array("nodeSelectorTerms", selector.terms, [&](const model::NodeSelectorTerm& term) {
    json.object([&] {
      requirements("matchExpressions", term.match_expressions);
      requirements("matchFields", term.match_fields);
    });
  });
}

void amount(JsonWriter& json, std::string_view name, int64_t bytes) {
  json.member(name, std::to_string(bytes));
}

// The in-tree source that decode_volumes.h reads as this plugin and handle, with these labels.
void in_tree_source(JsonWriter& json, const std::string& plugin, const std::string& handle,
                    const model::StringMap& labels) {
  const auto source = [&](std::string_view name, std::string_view field, std::string_view value) {
    json.object(name, [&] { json.member(field, value); });
  };
  if (plugin == "kubernetes.io/aws-ebs") source("awsElasticBlockStore", "volumeID", handle);
  if (plugin == "kubernetes.io/gce-pd")
    source("gcePersistentDisk", "pdName", gce_disk(handle, labels));
  if (plugin == "kubernetes.io/cinder") source("cinder", "volumeID", handle);
  if (plugin == "kubernetes.io/azure-disk") source("azureDisk", "diskURI", handle);
  if (plugin == "kubernetes.io/portworx-volume") source("portworxVolume", "volumeID", handle);
}

void disk_source(JsonWriter& json, const model::PodVolume& volume) {
  const std::string_view kind = disk_kind(volume.disks.front());
  const std::vector<std::string> fields = disk_fields(volume.disks.front());
  const auto source = [&](std::string_view name, std::string_view field) {
    json.object(name, [&] {
      json.member(field, fields.at(0));
      if (volume.read_only) json.member("readOnly", true);
    });
  };
  if (kind == "gce") source("gcePersistentDisk", "pdName");
  if (kind == "ebs") source("awsElasticBlockStore", "volumeID");
  if (kind == "iscsi") source("iscsi", "iqn");
  if (kind != "rbd") return;
  std::vector<std::string> monitors;
  for (const std::string& disk : volume.disks) monitors.push_back(disk_fields(disk).at(2));
  json.object("rbd", [&] {
    json.texts("monitors", monitors);
    json.member("pool", fields.at(0));
    json.member("image", fields.at(1));
    if (volume.read_only) json.member("readOnly", true);
  });
}

// Without the name, unless it tells the claim.
void pod_volume(JsonWriter& json, const model::PodVolume& volume) {
  if (volume.is_claim && !volume.ephemeral) {
    json.object("persistentVolumeClaim", [&] { json.member("claimName", volume.claim); });
  } else if (volume.is_claim) {
    json.member("name", volume.claim);
    json.object("ephemeral", [] {});
  } else if (!volume.disks.empty()) {
    disk_source(json, volume);
  } else if (!volume.plugin.empty()) {
    in_tree_source(json, volume.plugin, volume.handle, {});
  } else if (!volume.csi_driver.empty()) {
    json.object("csi", [&] { json.member("driver", volume.csi_driver); });
  } else {
    json.object("image", [&] { json.member("reference", volume.image); });
  }
}

std::string_view policy_text(model::Reclaim reclaim) {
  if (reclaim == model::Reclaim::kDelete) return "Delete";
  return reclaim == model::Reclaim::kRecycle ? "Recycle" : "Retain";
}

void write(const model::PersistentVolumeClaim& claim, std::string& out) {
  write_storage("v1", "PersistentVolumeClaim", out, [&](JsonWriter& json) {
    metadata(json, claim, [&] {
      json.member_if("uid", claim.uid);
      if (claim.terminating) json.member("deletionTimestamp", kSomeTime);
      if (claim.bind_completed || claim.has_selected_node)
        json.object("annotations", [&] {
          if (claim.bind_completed) json.member("pv.kubernetes.io/bind-completed", "yes");
          if (claim.has_selected_node)
            json.member("volume.kubernetes.io/selected-node", claim.selected_node);
        });
      if (!claim.owner_uid.empty())
        json.array("ownerReferences", std::initializer_list<std::string>{claim.owner_uid},
                   [&](const std::string& uid) {
                     json.object([&] {
                       json.member("uid", uid);
                       json.member("controller", true);
                     });
                   });
    });
    json.object("spec", [&] {
      json.member_if("volumeName", claim.volume_name);
      if (claim.has_class || !claim.storage_class.empty())
        json.member("storageClassName", claim.storage_class);
      json.member_if("volumeAttributesClassName", claim.attributes_class);
      json.texts_if("accessModes", claim.access_modes);
      if (claim.block) json.member("volumeMode", "Block");
      if (claim.selector) label_selector(json, "selector", claim.selector);
      if (claim.storage)
        json.object("resources", [&] {
          json.object("requests", [&] { amount(json, "storage", *claim.storage); });
        });
    });
    if (claim.lost) json.object("status", [&] { json.member("phase", "Lost"); });
  });
}

void write(const model::PersistentVolume& volume, std::string& out) {
  write_storage("v1", "PersistentVolume", out, [&](JsonWriter& json) {
    metadata(json, volume, [&] {
      if (volume.terminating) json.member("deletionTimestamp", kSomeTime);
      if (!volume.labels.empty()) string_map(json, "labels", volume.labels);
    });
    json.object("spec", [&] {
      json.member_if("storageClassName", volume.storage_class);
      json.member_if("volumeAttributesClassName", volume.attributes_class);
      json.texts_if("accessModes", volume.access_modes);
      json.object("capacity", [&] { amount(json, "storage", volume.storage); });
      if (volume.block) json.member("volumeMode", "Block");
      if (volume.reclaim != model::PersistentVolume().reclaim)
        json.member("persistentVolumeReclaimPolicy", policy_text(volume.reclaim));
      if (volume.has_claim)
        json.object("claimRef", [&] {
          json.member_if("namespace", volume.claim_namespace);
          json.member_if("name", volume.claim_name);
          json.member_if("uid", volume.claim_uid);
        });
      if (volume.node_affinity)
        json.object("nodeAffinity", [&] {
          json.object("required", [&] { node_terms(json, *volume.node_affinity); });
        });
      if (!volume.csi_driver.empty() || !volume.csi_handle.empty())
        json.object("csi", [&] {
          json.member_if("driver", volume.csi_driver);
          json.member_if("volumeHandle", volume.csi_handle);
        });
      in_tree_source(json, volume.plugin, volume.plugin_handle, volume.labels);
    });
    if (volume.available) json.object("status", [&] { json.member("phase", "Available"); });
  });
}

void write(const model::StorageClass& object, std::string& out) {
  write_storage("storage.k8s.io/v1", "StorageClass", out, [&](JsonWriter& json) {
    metadata(json, object, [&] {
      if (object.created_at != 0) json.member("creationTimestamp", time_text(object.created_at));
      if (object.is_default)
        json.object("annotations",
                    [&] { json.member("storageclass.kubernetes.io/is-default-class", "true"); });
    });
    json.member_if("provisioner", object.provisioner);
    if (object.has_binding_mode)
      json.member("volumeBindingMode", object.waits ? "WaitForFirstConsumer" : "Immediate");
    if (object.reclaim != model::StorageClass().reclaim)
      json.member("reclaimPolicy", policy_text(object.reclaim));
    json.array_if("allowedTopologies", object.allowed_topologies,
                  [&](const model::NodeSelectorTerm& term) {
                    json.object([&] {
                      json.array("matchLabelExpressions", term.match_expressions,
                                 [&](const model::Requirement& one) {
                                   json.object([&] {
                                     json.member("key", one.key);
                                     json.texts("values", one.values);
                                   });
                                 });
                    });
                  });
  });
}

void write(const model::CsiNode& node, std::string& out) {
  write_storage("storage.k8s.io/v1", "CSINode", out, [&](JsonWriter& json) {
    metadata(json, node, [&] {
      if (!node.migrated_plugins.empty())
        json.object("annotations", [&] {
          json.member("storage.alpha.kubernetes.io/migrated-plugins", node.migrated_plugins);
        });
    });
    json.object("spec", [&] {
      json.array("drivers", node.drivers, [&](const model::CsiNode::Driver& driver) {
        json.object([&] {
          json.member("name", driver.name);
          if (driver.count)
            json.object("allocatable", [&] { json.member("count", *driver.count); });
          json.texts_if("topologyKeys", driver.topology_keys);
        });
      });
    });
  });
}

void write(const model::CsiDriver& driver, std::string& out) {
  write_storage("storage.k8s.io/v1", "CSIDriver", out, [&](JsonWriter& json) {
    metadata(json, driver);
    json.object("spec", [&] { json.member("storageCapacity", driver.storage_capacity); });
  });
}

void write(const model::CsiStorageCapacity& capacity, std::string& out) {
  write_storage("storage.k8s.io/v1", "CSIStorageCapacity", out, [&](JsonWriter& json) {
    metadata(json, capacity);
    json.member("storageClassName", capacity.storage_class);
    if (capacity.node_topology) label_selector(json, "nodeTopology", capacity.node_topology);
    if (capacity.capacity) amount(json, "capacity", *capacity.capacity);
    if (capacity.limit && capacity.limit != capacity.capacity)
      amount(json, "maximumVolumeSize", *capacity.limit);
  });
}

void write(const model::VolumeAttachment& attachment, std::string& out) {
  write_storage("storage.k8s.io/v1", "VolumeAttachment", out, [&](JsonWriter& json) {
    metadata(json, attachment);
    json.object("spec", [&] {
      json.member_if("attacher", attachment.attacher);
      json.member_if("nodeName", attachment.node_name);
      json.object("source",
                  [&] { json.member_if("persistentVolumeName", attachment.volume_name); });
    });
  });
}

}  // namespace

void pod_volumes(JsonWriter& json, const std::vector<model::PodVolume>& volumes, bool empty_dir) {
  if (volumes.empty() && !empty_dir) return;
  json.key("volumes");
  json.StartArray();
  size_t number = 0;
  for (const model::PodVolume& volume : volumes)
    json.object([&] {
      // Volumes need names that differ; scheduling reads those of ephemeral ones.
      if (!volume.ephemeral) json.member("name", "volume-" + std::to_string(number));
      pod_volume(json, volume);
      ++number;
    });
  if (empty_dir)
    json.object([&] {
      json.member("name", "volume-" + std::to_string(number));
      json.object("emptyDir", [] {});
    });
  json.EndArray();
}

void append(const model::PodGroup& group, std::string& out) {
  write_storage("scheduling.x-k8s.io/v1alpha1", "PodGroup", out, [&](JsonWriter& json) {
    metadata(json, group, [&] {
      if (group.created_at != 0) json.member("creationTimestamp", time_text(group.created_at));
    });
    json.object("spec", [&] {
      if (group.min_member != 0) json.member("minMember", group.min_member);
      if (group.timeout_seconds != 0) json.member("scheduleTimeoutSeconds", group.timeout_seconds);
    });
  });
}

void append(const model::PodVolume& volume, std::string& out) {
  rapidjson::StringBuffer buffer;
  JsonWriter json(buffer);
  json.object([&] { pod_volume(json, volume); });
  out.append(buffer.GetString(), buffer.GetSize());
}

void append(const model::VolumeObject& object, std::string& out) {
  std::visit([&](const auto& one) { write(one, out); }, object);
}

}  // namespace berth::ingest
