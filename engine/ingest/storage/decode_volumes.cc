// Sources: k8s.io/api core/v1 and storage/v1; k8s.io/csi-translation-lib for the names that CSI
// drivers give to volumes of in-tree plugins.

#include "engine/ingest/storage/decode_volumes.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/ingest/objects/selector_field.h"

namespace berth::ingest {
namespace {

constexpr std::string_view kCore[] = {"PersistentVolumeClaim", "PersistentVolume"};
constexpr std::string_view kStorage[] = {"StorageClass", "CSINode", "CSIDriver",
                                         "CSIStorageCapacity", "VolumeAttachment"};
constexpr std::string_view kClassAnnotation = "volume.beta.kubernetes.io/storage-class";

const std::string* value_of(const model::StringMap& map, std::string_view key) {
  const auto at = std::ranges::find(map, key, &std::pair<std::string, std::string>::first);
  return at == map.end() ? nullptr : &at->second;
}

std::string class_of(const model::StringMap& annotations, const FieldReader& spec) {
  const std::string* annotated = value_of(annotations, kClassAnnotation);
  return annotated != nullptr ? *annotated : spec.text("storageClassName");
}

std::optional<int64_t> storage_of(const model::ResourceList& list) {
  for (const auto& [name, amount] : list)
    if (name == "storage") return amount.value();
  return std::nullopt;
}

std::string owner_of(const FieldReader& metadata) {
  std::optional<std::string> uid;
  metadata.each("ownerReferences", [&](const FieldReader& owner) {
    if (owner.boolean("controller") && !uid) uid = owner.text("uid");
  });
  return uid.value_or("");
}

model::PersistentVolumeClaim claim_of(const FieldReader& in, const FieldReader& metadata,
                                      Defaults defaults) {
  const model::StringMap annotations = metadata.string_map("annotations");
  const FieldReader spec = in.object("spec");
  model::PersistentVolumeClaim claim;
  claim.namespace_name = namespace_of(metadata, defaults);
  claim.uid = metadata.text("uid");
  claim.owner_uid = owner_of(metadata);
  claim.volume_name = spec.text("volumeName");
  claim.storage_class = class_of(annotations, spec);
  if (const auto* node = value_of(annotations, "volume.kubernetes.io/selected-node")) {
    claim.selected_node = *node;
    claim.has_selected_node = true;
  }
  claim.bind_completed = value_of(annotations, "pv.kubernetes.io/bind-completed") != nullptr;
  claim.lost = in.object("status").text("phase") == "Lost";
  claim.terminating = !metadata.text("deletionTimestamp").empty();
  claim.block = spec.text("volumeMode") == "Block";
  claim.access_modes = spec.texts("accessModes");
  claim.storage = storage_of(spec.object("resources").resources("requests", defaults));
  claim.selector = read_label_selector(spec, "selector");
  claim.attributes_class = spec.text("volumeAttributesClassName");
  return claim;
}

// The part after the last slash of "aws://zone/vol-1", and other texts as they are.
std::string ebs_handle(const std::string& id) {
  return id.starts_with("aws://") ? id.substr(id.rfind('/') + 1) : id;
}

std::string gce_handle(const std::string& disk, const model::StringMap& labels) {
  const std::string* zones = value_of(labels, "failure-domain.beta.kubernetes.io/zone");
  if (zones == nullptr || zones->empty()) zones = value_of(labels, "topology.kubernetes.io/zone");
  std::string where = "zones/UNSPECIFIED";
  if (zones != nullptr && !zones->empty()) {
    const std::string first = zones->substr(0, zones->find("__"));
    const bool regional = zones->find("__") != std::string::npos;
    where = regional ? "regions/" + first.substr(0, first.rfind('-')) : "zones/" + first;
  }
  return "projects/UNSPECIFIED/" + where + "/disks/" + disk;
}

// The in-tree source that a CSI driver replaces, if `in` has one: plugin and handle.
std::pair<std::string, std::string> in_tree(const FieldReader& in, const model::StringMap& labels) {
  if (in.has("awsElasticBlockStore"))
    return {"kubernetes.io/aws-ebs",
            ebs_handle(in.object("awsElasticBlockStore").text("volumeID"))};
  if (in.has("gcePersistentDisk"))
    return {"kubernetes.io/gce-pd",
            gce_handle(in.object("gcePersistentDisk").text("pdName"), labels)};
  if (in.has("cinder")) return {"kubernetes.io/cinder", in.object("cinder").text("volumeID")};
  if (in.has("azureDisk"))
    return {"kubernetes.io/azure-disk", in.object("azureDisk").text("diskURI")};
  if (in.has("portworxVolume"))
    return {"kubernetes.io/portworx-volume", in.object("portworxVolume").text("volumeID")};
  return {};
}

std::vector<model::NodeSelectorTerm> node_terms(const FieldReader& in) {
  std::vector<model::NodeSelectorTerm> terms;
  in.each("nodeSelectorTerms", [&](const FieldReader& term) {
    terms.push_back(
        {read_requirements(term, "matchExpressions"), read_requirements(term, "matchFields")});
  });
  return terms;
}

model::PersistentVolume volume_of(const FieldReader& in, const FieldReader& metadata,
                                  Defaults defaults) {
  const FieldReader spec = in.object("spec");
  model::PersistentVolume volume;
  volume.labels = metadata.string_map("labels");
  volume.has_claim = spec.has("claimRef");
  const FieldReader claim = spec.object("claimRef");
  volume.claim_namespace = claim.text("namespace");
  volume.claim_name = claim.text("name");
  volume.claim_uid = claim.text("uid");
  volume.storage_class = class_of(metadata.string_map("annotations"), spec);
  volume.attributes_class = spec.text("volumeAttributesClassName");
  volume.access_modes = spec.texts("accessModes");
  volume.storage = storage_of(spec.resources("capacity", defaults)).value_or(0);
  volume.block = spec.text("volumeMode") == "Block";
  volume.available = in.object("status").text("phase") == "Available";
  volume.terminating = !metadata.text("deletionTimestamp").empty();
  const FieldReader affinity = spec.object("nodeAffinity");
  if (affinity.has("required"))
    volume.node_affinity = model::NodeSelector{node_terms(affinity.object("required"))};
  volume.csi_driver = spec.object("csi").text("driver");
  volume.csi_handle = spec.object("csi").text("volumeHandle");
  std::tie(volume.plugin, volume.plugin_handle) = in_tree(spec, volume.labels);
  return volume;
}

model::StorageClass storage_class_of(const FieldReader& in) {
  model::StorageClass made;
  made.provisioner = in.text("provisioner");
  made.has_binding_mode = in.has("volumeBindingMode");
  made.waits = in.text("volumeBindingMode") == "WaitForFirstConsumer";
  in.each("allowedTopologies", [&](const FieldReader& term) {
    model::NodeSelectorTerm read;
    term.each("matchLabelExpressions", [&](const FieldReader& one) {
      read.match_expressions.push_back({one.text("key"), "In", one.texts("values")});
    });
    made.allowed_topologies.push_back(std::move(read));
  });
  return made;
}

model::CsiNode csi_node_of(const FieldReader& in, const FieldReader& metadata) {
  model::CsiNode node;
  const model::StringMap annotations = metadata.string_map("annotations");
  if (const auto* plugins = value_of(annotations, "storage.alpha.kubernetes.io/migrated-plugins"))
    node.migrated_plugins = *plugins;
  in.object("spec").each("drivers", [&](const FieldReader& driver) {
    const FieldReader allocatable = driver.object("allocatable");
    std::optional<int64_t> count;
    if (const auto read = allocatable.integer32("count")) count = *read;
    node.drivers.push_back({driver.text("name"), count, driver.texts("topologyKeys")});
  });
  return node;
}

model::CsiStorageCapacity capacity_of(const FieldReader& in, const FieldReader& metadata,
                                      Defaults defaults) {
  model::CsiStorageCapacity made;
  made.namespace_name = namespace_of(metadata, defaults);
  made.storage_class = in.text("storageClassName");
  made.node_topology = read_label_selector(in, "nodeTopology");
  made.limit = in.amount("maximumVolumeSize", defaults);
  if (!made.limit) made.limit = in.amount("capacity", defaults);
  return made;
}

model::VolumeObject object_of(std::string_view kind, const FieldReader& in,
                              const FieldReader& metadata, Defaults defaults) {
  if (kind == "PersistentVolumeClaim") return claim_of(in, metadata, defaults);
  if (kind == "PersistentVolume") return volume_of(in, metadata, defaults);
  if (kind == "StorageClass") return storage_class_of(in);
  if (kind == "CSINode") return csi_node_of(in, metadata);
  if (kind == "CSIDriver")
    return model::CsiDriver{.name = {},
                            .storage_capacity = in.object("spec").boolean("storageCapacity")};
  if (kind == "CSIStorageCapacity") return capacity_of(in, metadata, defaults);
  const FieldReader spec = in.object("spec");
  return model::VolumeAttachment{.name = {},
                                 .attacher = spec.text("attacher"),
                                 .node_name = spec.text("nodeName"),
                                 .volume_name = spec.object("source").text("persistentVolumeName")};
}

// The texts that name a disk of which pods do not share one that is written: its kind and what
// tells it from others, by line. `read_only`: that a disk is shared by readers.
std::vector<std::string> disks_of(const FieldReader& volume, bool& read_only) {
  if (volume.has("gcePersistentDisk")) {
    const FieldReader disk = volume.object("gcePersistentDisk");
    read_only = disk.boolean("readOnly");
    return {"gce\n" + disk.text("pdName")};
  }
  if (volume.has("awsElasticBlockStore"))
    return {"ebs\n" + volume.object("awsElasticBlockStore").text("volumeID")};
  if (volume.has("iscsi")) {
    const FieldReader disk = volume.object("iscsi");
    read_only = disk.boolean("readOnly");
    return {"iscsi\n" + disk.text("iqn")};
  }
  std::vector<std::string> disks;
  if (volume.has("rbd")) {
    const FieldReader disk = volume.object("rbd");
    read_only = disk.boolean("readOnly");
    for (const std::string& monitor : disk.texts("monitors"))
      disks.push_back("rbd\n" + disk.text("pool") + "\n" + disk.text("image") + "\n" + monitor);
  }
  return disks;
}

}  // namespace

bool is_volume_object(std::string_view kind, std::string_view api_version) {
  const bool core = std::ranges::find(kCore, kind) != std::end(kCore);
  const bool storage = std::ranges::find(kStorage, kind) != std::end(kStorage);
  if (api_version.empty()) return core || storage;
  return (core && api_version.find('/') == std::string_view::npos) ||
         (storage && api_version.starts_with("storage.k8s.io/"));
}

std::optional<model::VolumeObject> decode_volume_object(document::Value value,
                                                        std::string_view kind,
                                                        Diagnostics& diagnostics,
                                                        Defaults defaults) {
  Faults faults(diagnostics);
  const FieldReader in = object_reader(value, faults);
  const FieldReader metadata = in.object("metadata");
  std::string name = object_name(in, metadata, defaults, kind);
  model::VolumeObject made = object_of(kind, in, metadata, defaults);
  std::visit([&](auto& object) { object.name = std::move(name); }, made);
  if (!faults.none()) return std::nullopt;
  return made;
}

std::vector<model::PodVolume> read_pod_volumes(const FieldReader& spec) {
  std::vector<model::PodVolume> volumes;
  spec.each("volumes", [&](const FieldReader& in) {
    model::PodVolume volume;
    volume.ephemeral = in.has("ephemeral") && !in.has("persistentVolumeClaim");
    volume.is_claim = volume.ephemeral || in.has("persistentVolumeClaim");
    if (volume.is_claim) {
      volume.claim =
          volume.ephemeral ? in.text("name") : in.object("persistentVolumeClaim").text("claimName");
    } else {
      volume.disks = disks_of(in, volume.read_only);
      std::tie(volume.plugin, volume.handle) = in_tree(in, {});
      if (in.has("csi")) volume.csi_driver = in.object("csi").text("driver");
      if (volume.disks.empty() && volume.plugin.empty() && volume.csi_driver.empty()) return;
    }
    volumes.push_back(std::move(volume));
  });
  return volumes;
}

}  // namespace berth::ingest
