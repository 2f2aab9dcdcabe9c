#pragma once

// The annotation of a node that stops its kubelet.

#include <algorithm>
#include <string_view>

#include "engine/model/objects/objects.h"

namespace berth::played {

inline constexpr std::string_view kKubelet = "berth/kubelet", kStopped = "stopped";

// True if the node's object says that its kubelet is silent.
inline bool is_stopped(const model::Node& node) {
  return std::ranges::any_of(node.annotations, [](const auto& annotation) {
    return annotation.first == kKubelet && annotation.second == kStopped;
  });
}

}  // namespace berth::played
