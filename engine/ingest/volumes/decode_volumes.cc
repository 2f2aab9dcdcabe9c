// Sources: k8s.io/api core/v1 and storage/v1.

#include "engine/ingest/volumes/decode_volumes.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/ingest/objects/fields/selector_field.h"
#include "engine/ingest/volumes/disk_names.h"
#include "engine/model/objects/string_map.h"

namespace berth::ingest {
namespace {

constexpr std::string_view kClassAnnotation = "volume.beta.kubernetes.io/storage-class";

bool has_class(const model::StringMap& annotations, const FieldReader& spec) {
  return model::value_in(annotations, kClassAnnotation) != nullptr || spec.has("storageClassName");
}

std::string class_of(const model::StringMap& annotations, const FieldReader& spec) {
  const std::string* annotated = model::value_in(annotations, kClassAnnotation);
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
  claim.has_class = has_class(annotations, spec);
  if (const auto* node = model::value_in(annotations, "volume.kubernetes.io/selected-node")) {
    claim.selected_node = *node;
    claim.has_selected_node = true;
  }
  claim.bind_completed = model::value_in(annotations, "pv.kubernetes.io/bind-completed") != nullptr;
  claim.lost = in.object("status").text("phase") == "Lost";
  claim.terminating = !metadata.text("deletionTimestamp").empty();
  claim.block = spec.text("volumeMode") == "Block";
  claim.access_modes = spec.texts("accessModes");
  claim.storage = storage_of(spec.object("resources").resources("requests", defaults));
  claim.selector = read_label_selector(spec, "selector");
  claim.attributes_class = spec.text("volumeAttributesClassName");
  return claim;
}

// The in-tree source that a CSI driver replaces, if `in` has one: plugin and handle.
std::pair<std::string, std::string> in_tree(const FieldReader& in, const model::StringMap& labels) {
  if (in.has("gcePersistentDisk"))
    return {"kubernetes.io/gce-pd",
            gce_handle(in.object("gcePersistentDisk").text("pdName"), labels)};
  if (in.has("awsElasticBlockStore"))
    return {"kubernetes.io/aws-ebs",
            ebs_handle(in.object("awsElasticBlockStore").text("volumeID"))};
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

model::Reclaim reclaim_of(const std::string& policy, model::Reclaim absent) {
  if (policy == "Retain") return model::Reclaim::kRetain;
  if (policy == "Delete") return model::Reclaim::kDelete;
  if (policy == "Recycle") return model::Reclaim::kRecycle;
  return absent;
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
  volume.reclaim = reclaim_of(spec.text("persistentVolumeReclaimPolicy"), volume.reclaim);
  const FieldReader affinity = spec.object("nodeAffinity");
  if (affinity.has("required"))
    volume.node_affinity = model::NodeSelector{node_terms(affinity.object("required"))};
  volume.csi_driver = spec.object("csi").text("driver");
  volume.csi_handle = spec.object("csi").text("volumeHandle");
  std::tie(volume.plugin, volume.plugin_handle) = in_tree(spec, volume.labels);
  return volume;
}

bool is_default_class(const model::StringMap& annotations) {
  const auto is_true = [&](std::string_view key) {
    const std::string* value = model::value_in(annotations, key);
    return value != nullptr && *value == "true";
  };
  return is_true("storageclass.kubernetes.io/is-default-class") ||
         is_true("storageclass.beta.kubernetes.io/is-default-class");
}

model::StorageClass storage_class_of(const FieldReader& in, const FieldReader& metadata,
                                     Defaults defaults) {
  model::StorageClass made;
  made.is_default = is_default_class(metadata.string_map("annotations"));
  made.created_at = metadata.time("creationTimestamp").value_or(0);
  made.provisioner = in.text("provisioner");
  made.has_binding_mode = in.has("volumeBindingMode") || defaults == Defaults::kApiServer;
  made.waits = in.text("volumeBindingMode") == "WaitForFirstConsumer";
  made.reclaim = reclaim_of(in.text("reclaimPolicy"), made.reclaim);
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
  if (const auto* plugins =
          model::value_in(annotations, "storage.alpha.kubernetes.io/migrated-plugins"))
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
  made.capacity = in.amount("capacity", defaults);
  made.limit = in.amount("maximumVolumeSize", defaults);
  if (!made.limit) made.limit = made.capacity;
  return made;
}

// A claim without namespace, name and status, from a template.
model::PersistentVolumeClaim template_of(const FieldReader& in) {
  model::PersistentVolumeClaim claim = claim_of(in, in.object("metadata"), Defaults::kApiServer);
  claim.namespace_name.clear();
  claim.uid.clear();
  claim.owner_uid.clear();
  claim.lost = claim.terminating = false;
  return claim;
}

model::VolumeObject object_of(std::string_view kind, const FieldReader& in,
                              const FieldReader& metadata, Defaults defaults) {
  if (kind == "PersistentVolumeClaim") return claim_of(in, metadata, defaults);
  if (kind == "PersistentVolume") return volume_of(in, metadata, defaults);
  if (kind == "StorageClass") return storage_class_of(in, metadata, defaults);
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

// The source of a volume that is no claim.
void read_source(const FieldReader& in, model::PodVolume& volume) {
  const auto disk = [&](std::string_view field, std::string_view kind, std::string_view name) {
    const FieldReader source = in.object(field);
    volume.disks = {disk_text(kind, {source.text(name)})};
    // kube-scheduler does not read it of an EBS disk.
    if (kind != "ebs") volume.read_only = source.boolean("readOnly");
  };
  if (in.has("gcePersistentDisk")) {
    disk("gcePersistentDisk", "gce", "pdName");
  } else if (in.has("awsElasticBlockStore")) {
    disk("awsElasticBlockStore", "ebs", "volumeID");
  } else if (in.has("iscsi")) {
    return disk("iscsi", "iscsi", "iqn");
  } else if (in.has("rbd")) {
    const FieldReader source = in.object("rbd");
    volume.read_only = source.boolean("readOnly");
    for (const std::string& monitor : source.texts("monitors"))
      volume.disks.push_back(
          disk_text("rbd", {source.text("pool"), source.text("image"), monitor}));
    return;
  }
  std::tie(volume.plugin, volume.handle) = in_tree(in, {});
  if (volume.plugin.empty()) volume.csi_driver = in.object("csi").text("driver");
}

}  // namespace

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

std::optional<model::VolumeObject> decode_volume_template(document::Value value,
                                                          std::string_view kind,
                                                          Diagnostics& diagnostics) {
  Faults faults(diagnostics);
  const FieldReader in = object_reader(value, faults);
  model::VolumeObject made = object_of(kind, in, in.object("metadata"), Defaults::kApiServer);
  if (!faults.none()) return std::nullopt;
  return made;
}

model::PersistentVolumeClaim read_claim_template(const FieldReader& in) {
  model::PersistentVolumeClaim claim = template_of(in);
  claim.name = in.object("metadata").text("name");
  if (claim.name.empty()) in.missing("metadata.name", "a claim template needs a name");
  return claim;
}

std::vector<model::PersistentVolumeClaim> read_ephemeral_claims(const FieldReader& spec) {
  std::vector<model::PersistentVolumeClaim> claims;
  spec.each("volumes", [&](const FieldReader& in) {
    const FieldReader source = in.object("ephemeral");
    if (in.has("persistentVolumeClaim") || !source.has("volumeClaimTemplate")) return;
    claims.push_back(template_of(source.object("volumeClaimTemplate")));
    claims.back().name = in.text("name");
  });
  return claims;
}

std::optional<model::PodVolume> read_pod_volume(const FieldReader& in) {
  model::PodVolume volume;
  if (in.has("persistentVolumeClaim")) {
    volume.is_claim = true;
    volume.claim = in.object("persistentVolumeClaim").text("claimName");
  } else if (in.has("ephemeral")) {
    volume.is_claim = volume.ephemeral = true;
    volume.claim = in.text("name");
    // For its faults: read_ephemeral_claims() reads what pods with a claim of their own need.
    static_cast<void>(template_of(in.object("ephemeral").object("volumeClaimTemplate")));
  } else {
    read_source(in, volume);
    volume.image = in.object("image").text("reference");
    if (volume.disks.empty() && volume.plugin.empty() && volume.csi_driver.empty() &&
        volume.image.empty())
      return std::nullopt;
  }
  return volume;
}

bool has_empty_dir(const FieldReader& spec) {
  bool found = false;
  spec.each("volumes", [&](const FieldReader& in) { found |= in.has("emptyDir"); });
  return found;
}

std::vector<model::PodVolume> read_pod_volumes(const FieldReader& spec) {
  std::vector<model::PodVolume> volumes;
  spec.each("volumes", [&](const FieldReader& in) {
    if (auto volume = read_pod_volume(in)) volumes.push_back(std::move(*volume));
  });
  return volumes;
}

}  // namespace berth::ingest
