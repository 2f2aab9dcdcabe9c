#include "loadgen/generate/volumes.h"

#include <algorithm>
#include <iterator>

namespace berth::loadgen {
namespace {

// Kinds that none of kube-scheduler's plugins VolumeBinding, VolumeZone, VolumeRestrictions and
// NodeVolumeLimits reads.
constexpr std::string_view kFreeVolumes[] = {
    "cephfs",    "configMap", "csi",       "downwardAPI", "emptyDir", "fc",  "flexVolume",
    "flocker",   "gitRepo",   "glusterfs", "hostPath",    "image",    "nfs", "photonPersistentDisk",
    "projected", "quobyte",   "scaleIO",   "secret",      "storageos"};

}  // namespace

bool is_free_volume(std::string_view kind) {
  return std::ranges::find(kFreeVolumes, kind) != std::end(kFreeVolumes);
}

}  // namespace berth::loadgen
