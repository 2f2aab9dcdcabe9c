#pragma once

// Arbitrary volumes of pods and objects of storage for RapidCheck.

#include <rapidcheck.h>

#include <string>

#include "engine/ingest/stream/testing/draws_for_tests.h"
#include "engine/ingest/volumes/disk_names.h"
#include "engine/model/objects/volume_objects.h"

namespace berth::ingest::testing {

inline std::string volume_text() {
  return *rc::gen::element<std::string>("", "a", "zone-1", "x/y", "\"quoted\"\n\\n", "Üñí");
}
inline std::string volume_name() {
  return *rc::gen::element<std::string>("a", "b", "claim-7", "with/slash", "line\nbreak");
}
inline int64_t bytes() { return *rc::gen::inRange<int64_t>(0, int64_t{1} << 60); }

inline model::StringMap volume_labels() {
  model::StringMap labels;
  if (flip()) labels.emplace_back("a", volume_text());
  if (flip())
    labels.emplace_back("topology.kubernetes.io/zone",
                        *rc::gen::element<std::string>("z-1", "z-1__z-2", ""));
  return labels;
}
inline model::Requirement volume_requirement() {
  return {volume_text(), volume_text(), few(volume_text)};
}
inline model::NodeSelectorTerm volume_term() {
  return {few(volume_requirement), few(volume_requirement)};
}
inline model::LabelSelector volume_selector() { return {volume_labels(), few(volume_requirement)}; }

// As decode_volumes.h reads them.
inline model::PodVolume pod_volume() {
  model::PodVolume volume;
  const std::string name = volume_text();
  switch (number(0, 8)) {
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
      volume.read_only = flip();
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
      volume.read_only = flip();
      break;
    case 5:
      volume.disks = {disk_text("rbd", {name, volume_text(), "m-1"}),
                      disk_text("rbd", {name, "image", volume_text()})};
      volume.disks[1] = disk_text("rbd", {name, disk_fields(volume.disks[0]).at(1), volume_text()});
      volume.read_only = flip();
      break;
    case 6:
      volume.plugin = "kubernetes.io/azure-disk";
      volume.handle = name;
      break;
    case 7:
      volume.image = volume_name();
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
  claim.has_class = !claim.storage_class.empty() || flip();
  claim.has_selected_node = flip();
  if (claim.has_selected_node) claim.selected_node = volume_text();
  claim.bind_completed = flip();
  claim.lost = flip();
  claim.terminating = flip();
  claim.block = flip();
  claim.access_modes = few(volume_text);
  claim.storage = maybe(bytes);
  claim.selector = maybe(volume_selector);
  claim.attributes_class = volume_text();
  return claim;
}

inline model::PersistentVolume persistent_volume() {
  model::PersistentVolume volume;
  volume.name = volume_name();
  volume.labels = volume_labels();
  volume.has_claim = flip();
  if (volume.has_claim) {
    volume.claim_namespace = volume_text();
    volume.claim_name = volume_text();
    volume.claim_uid = volume_text();
  }
  volume.storage_class = volume_text();
  volume.attributes_class = volume_text();
  volume.access_modes = few(volume_text);
  volume.storage = bytes();
  volume.block = flip();
  volume.available = flip();
  volume.terminating = flip();
  if (flip()) volume.node_affinity = model::NodeSelector{few(volume_term)};
  volume.csi_driver = volume_text();
  volume.csi_handle = volume_text();
  if (flip()) {
    volume.plugin = "kubernetes.io/gce-pd";
    volume.plugin_handle = gce_handle(volume_text(), volume.labels);
  }
  return volume;
}

inline model::StorageClass storage_class() {
  model::StorageClass made;
  made.name = volume_name();
  made.provisioner = volume_text();
  made.has_binding_mode = flip();
  made.waits = made.has_binding_mode && flip();
  made.allowed_topologies = few([] {
    return model::NodeSelectorTerm{
        few([] {
          return model::Requirement{volume_text(), "In", few(volume_text)};
        }),
        {}};
  });
  made.is_default = flip();
  made.created_at = *rc::gen::inRange<int64_t>(0, 9) * 1'000'000'000;
  return made;
}

inline model::PodGroup pod_group() {
  return {volume_name(), volume_name(), number(0, 5),
          *rc::gen::inRange<int64_t>(0, 2'000'000'000) * 1'000'000'000, number(0, 90)};
}

inline model::VolumeObject volume_object() {
  switch (number(0, 6)) {
    case 0:
      return persistent_claim();
    case 1:
      return persistent_volume();
    case 2:
      return storage_class();
    case 3:
      return model::CsiNode{volume_name(), few([] {
                              return model::CsiNode::Driver{
                                  volume_text(),
                                  maybe([] { return *rc::gen::inRange<int64_t>(0, 1000); }),
                                  few(volume_text)};
                            }),
                            volume_text()};
    case 4:
      return model::CsiDriver{volume_name(), flip()};
    case 5: {
      const std::optional<int64_t> capacity = maybe(bytes), maximum = maybe(bytes);
      return model::CsiStorageCapacity{volume_name(),
                                       volume_name(),
                                       volume_text(),
                                       maybe(volume_selector),
                                       maximum ? maximum : capacity,
                                       capacity};
    }
    default:
      return model::VolumeAttachment{volume_name(), volume_text(), volume_text(), volume_text()};
  }
}

}  // namespace berth::ingest::testing
