#pragma once

// Arbitrary volumes of pods and objects of storage for RapidCheck.

#include <rapidcheck.h>

#include <string>
#include <vector>

#include "engine/ingest/storage/disk_names.h"
#include "engine/model/objects/volume_objects.h"

namespace berth::ingest::testing {

inline std::string volume_text() {
  return *rc::gen::element<std::string>("", "a", "zone-1", "x/y", "\"quoted\"\n\\n", "Üñí");
}
inline std::string volume_name() {
  return *rc::gen::element<std::string>("a", "b", "claim-7", "with/slash", "line\nbreak");
}
inline bool volume_flip() { return *rc::gen::arbitrary<bool>(); }
inline int64_t bytes() { return *rc::gen::inRange<int64_t>(0, int64_t{1} << 60); }

template <typename Make>
auto up_to_two(Make make) {
  std::vector<decltype(make())> list(*rc::gen::inRange<size_t>(0, 3));
  for (auto& entry : list) entry = make();
  return list;
}
template <typename Make>
auto perhaps(Make make) {
  return volume_flip() ? std::optional(make()) : std::nullopt;
}

inline model::StringMap volume_labels() {
  model::StringMap labels;
  if (volume_flip()) labels.emplace_back("a", volume_text());
  if (volume_flip())
    labels.emplace_back("topology.kubernetes.io/zone",
                        *rc::gen::element<std::string>("z-1", "z-1__z-2", ""));
  return labels;
}
inline model::Requirement volume_requirement() {
  return {volume_text(), volume_text(), up_to_two(volume_text)};
}
inline model::NodeSelectorTerm volume_term() {
  return {up_to_two(volume_requirement), up_to_two(volume_requirement)};
}
inline model::LabelSelector volume_selector() {
  return {volume_labels(), up_to_two(volume_requirement)};
}

// As decode_volumes.h reads them.
inline model::PodVolume pod_volume() {
  model::PodVolume volume;
  const std::string name = volume_text();
  switch (*rc::gen::inRange(0, 8)) {
    case 0:
      volume.is_claim = true;
      volume.claim = name;
      break;
    case 1:
      volume.is_claim = volume.ephemeral = true;
      volume.claim = name;
      break;
    case 2:
      volume.disks = {disk_text("gce", {name})};
      volume.read_only = volume_flip();
      volume.plugin = "kubernetes.io/gce-pd";
      volume.handle = gce_handle(name, {});
      break;
    case 3:
      volume.disks = {disk_text("ebs", {"aws://" + name + "/vol-1"})};
      volume.plugin = "kubernetes.io/aws-ebs";
      volume.handle = "vol-1";
      break;
    case 4:
      volume.disks = {disk_text("iscsi", {name})};
      volume.read_only = volume_flip();
      break;
    case 5:
      volume.disks = {disk_text("rbd", {name, volume_text(), "m-1"}),
                      disk_text("rbd", {name, "image", volume_text()})};
      volume.disks[1] = disk_text("rbd", {name, disk_fields(volume.disks[0]).at(1), volume_text()});
      volume.read_only = volume_flip();
      break;
    case 6:
      volume.plugin = "kubernetes.io/azure-disk";
      volume.handle = name;
      break;
    default:
      volume.csi_driver = volume_name();
  }
  return volume;
}

inline model::PersistentVolumeClaim persistent_claim() {
  model::PersistentVolumeClaim claim;
  claim.namespace_name = volume_name();
  claim.name = volume_name();
  claim.uid = volume_text();
  claim.owner_uid = volume_text();
  claim.volume_name = volume_text();
  claim.storage_class = volume_text();
  claim.has_class = !claim.storage_class.empty() || volume_flip();
  claim.has_selected_node = volume_flip();
  if (claim.has_selected_node) claim.selected_node = volume_text();
  claim.bind_completed = volume_flip();
  claim.lost = volume_flip();
  claim.terminating = volume_flip();
  claim.block = volume_flip();
  claim.access_modes = up_to_two(volume_text);
  claim.storage = perhaps(bytes);
  claim.selector = perhaps(volume_selector);
  claim.attributes_class = volume_text();
  return claim;
}

inline model::PersistentVolume persistent_volume() {
  model::PersistentVolume volume;
  volume.name = volume_name();
  volume.labels = volume_labels();
  volume.has_claim = volume_flip();
  if (volume.has_claim) {
    volume.claim_namespace = volume_text();
    volume.claim_name = volume_text();
    volume.claim_uid = volume_text();
  }
  volume.storage_class = volume_text();
  volume.attributes_class = volume_text();
  volume.access_modes = up_to_two(volume_text);
  volume.storage = bytes();
  volume.block = volume_flip();
  volume.available = volume_flip();
  volume.terminating = volume_flip();
  if (volume_flip()) volume.node_affinity = model::NodeSelector{up_to_two(volume_term)};
  volume.csi_driver = volume_text();
  volume.csi_handle = volume_text();
  if (volume_flip()) {
    volume.plugin = "kubernetes.io/gce-pd";
    volume.plugin_handle = gce_handle(volume_text(), volume.labels);
  }
  return volume;
}

inline model::StorageClass storage_class() {
  model::StorageClass made;
  made.name = volume_name();
  made.provisioner = volume_text();
  made.has_binding_mode = volume_flip();
  made.waits = made.has_binding_mode && volume_flip();
  made.allowed_topologies = up_to_two([] {
    return model::NodeSelectorTerm{
        up_to_two([] {
          return model::Requirement{volume_text(), "In", up_to_two(volume_text)};
        }),
        {}};
  });
  made.is_default = volume_flip();
  made.created_at = *rc::gen::inRange<int64_t>(0, 9) * 1'000'000'000;
  return made;
}

inline model::VolumeObject volume_object() {
  switch (*rc::gen::inRange(0, 7)) {
    case 0:
      return persistent_claim();
    case 1:
      return persistent_volume();
    case 2:
      return storage_class();
    case 3:
      return model::CsiNode{volume_name(), up_to_two([] {
                              return model::CsiNode::Driver{
                                  volume_text(),
                                  perhaps([] { return *rc::gen::inRange<int64_t>(0, 1000); }),
                                  up_to_two(volume_text)};
                            }),
                            volume_text()};
    case 4:
      return model::CsiDriver{volume_name(), volume_flip()};
    case 5: {
      const std::optional<int64_t> capacity = perhaps(bytes), maximum = perhaps(bytes);
      return model::CsiStorageCapacity{volume_name(),
                                       volume_name(),
                                       volume_text(),
                                       perhaps(volume_selector),
                                       maximum ? maximum : capacity,
                                       capacity};
    }
    default:
      return model::VolumeAttachment{volume_name(), volume_text(), volume_text(), volume_text()};
  }
}

}  // namespace berth::ingest::testing
