#pragma once

#include <memory>

#include "engine/conformance/controllers/timeline.h"

namespace berth::conformance {

// Plays cases of the feature node-lifecycle. See players.h.
std::unique_ptr<Player> node_lifecycle_player(document::Value config, Entries& entries);

}  // namespace berth::conformance
