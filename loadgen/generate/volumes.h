#pragma once

// Volume kinds and scheduling.
#include <string_view>

namespace berth::loadgen {

// True if volumes of this kind (a field of Kubernetes' Volume) never restrict where a pod can run.
// False for claims, for disks that only few pods can share, for kinds of which a node has a limited
// number, and for unknown kinds.
bool is_free_volume(std::string_view kind);

}  // namespace berth::loadgen
