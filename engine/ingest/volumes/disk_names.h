#pragma once

// Texts that stand for disks in the model (PodVolume::disks, PodVolume::handle,
// PersistentVolume::plugin_handle), and what they were made of. Internal to this module.

#include <string>
#include <string_view>
#include <vector>

#include "engine/model/objects/objects.h"

namespace berth::ingest {

// A text for a disk of this kind ("gce", "ebs", "iscsi", "rbd") that differs from those of other
// disks: `fields` are what tells it from others of its kind.
std::string disk_text(std::string_view kind, const std::vector<std::string>& fields);
// The reverse.
std::string_view disk_kind(std::string_view disk);
std::vector<std::string> disk_fields(std::string_view disk);

// The name that the CSI driver of AWS gives a volume: the part after the last slash of
// "aws://zone/vol-1", other texts as they are.
std::string ebs_handle(const std::string& id);
// The name that the CSI driver of GCE gives a disk, with the zone or region that labels tell.
std::string gce_handle(const std::string& disk, const model::StringMap& labels);
// The disk of such a handle, made with the same labels.
std::string gce_disk(const std::string& handle, const model::StringMap& labels);

}  // namespace berth::ingest
