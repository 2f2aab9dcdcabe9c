// Copies of objects of storage and of the volumes of pods.

#include "loadgen/import/cluster_copies.h"

namespace berth::loadgen {
namespace {

void append_if(std::string& name, const std::string& suffix) {
  if (!name.empty()) name += suffix;
}

}  // namespace

bool ClusterCopies::is_shared(size_t index) const {
  return std::holds_alternative<model::StorageClass>(storage_[index]) ||
         std::holds_alternative<model::CsiDriver>(storage_[index]);
}

void ClusterCopies::rename_claim(model::PersistentVolumeClaim& claim, const std::string& suffix) {
  claim.namespace_name += suffix;
  for (std::string* name : {&claim.uid, &claim.owner_uid, &claim.volume_name, &claim.selected_node})
    append_if(*name, suffix);
}

void ClusterCopies::rename_volume(model::PersistentVolume& volume,
                                  const std::string& suffix) const {
  volume.name += suffix;
  for (std::string* name : {&volume.claim_namespace, &volume.claim_uid, &volume.csi_handle})
    append_if(*name, suffix);
  append_if(volume.plugin_handle, suffix);
  for (auto& [key, value] : volume.labels) rename_value(value, suffix);
  if (!volume.node_affinity) return;
  for (model::NodeSelectorTerm& term : volume.node_affinity->terms) rename_term(term, suffix);
}

model::VolumeObject ClusterCopies::storage(size_t index, uint64_t copy) const {
  model::VolumeObject object = storage_[index];
  if (copy == 0) return object;
  const std::string own = suffix(copy);
  if (auto* claim = std::get_if<model::PersistentVolumeClaim>(&object)) {
    rename_claim(*claim, own);
  } else if (auto* volume = std::get_if<model::PersistentVolume>(&object)) {
    rename_volume(*volume, own);
  } else if (auto* node = std::get_if<model::CsiNode>(&object)) {
    node->name += own;
  } else if (auto* capacity = std::get_if<model::CsiStorageCapacity>(&object)) {
    capacity->namespace_name += own;
    if (!capacity->node_topology) return object;
    for (auto& [key, value] : capacity->node_topology->match_labels) rename_value(value, own);
    for (model::Requirement& requirement : capacity->node_topology->match_expressions)
      for (std::string& value : requirement.values) rename_value(value, own);
  } else if (auto* attachment = std::get_if<model::VolumeAttachment>(&object)) {
    attachment->name += own;
    append_if(attachment->node_name, own);
    append_if(attachment->volume_name, own);
  }
  return object;
}

// Claims are those of the copied namespace. The name of a disk is at the end of its text.
void ClusterCopies::rename_volumes(std::vector<model::PodVolume>& volumes,
                                   const std::string& suffix) {
  for (model::PodVolume& volume : volumes) {
    for (std::string& disk : volume.disks) disk += suffix;
    append_if(volume.handle, suffix);
  }
}

}  // namespace berth::loadgen
