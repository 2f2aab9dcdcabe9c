#pragma once

// The events of the node lifecycle controller about nodes. Sources: controller/nodelifecycle,
// controller/util/node.

#include <string>

#include "engine/events/event.h"

namespace berth::events {

inline constexpr const char* kNodeController = "node-controller";

// The controller sees the node for the first time.
Event node_registered(const std::string& node);
// The node is gone.
Event node_removed(const std::string& node);
// The controller found its kubelet silent.
Event node_not_ready(const std::string& node);

}  // namespace berth::events
