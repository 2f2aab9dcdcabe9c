#pragma once

// Plays the eviction manager of a kubelet on one node (engine/controllers/kubelet/eviction).

#include <memory>

#include "engine/conformance/controllers/timeline.h"

namespace berth::conformance {

std::unique_ptr<Player> make_node_pressure_player(document::Value config, Entries& entries);

}  // namespace berth::conformance
