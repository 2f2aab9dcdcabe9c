#pragma once

#include <string_view>

namespace berth::loadgen {

// Whether a volume of that kind, a field of Kubernetes' Volume, says nothing of where its pod can
// run. The others are claims, disks that few pods can share, and those that a node has limited room
// for; so is what Kubernetes does not have.
bool is_free_volume(std::string_view kind);

}  // namespace berth::loadgen
