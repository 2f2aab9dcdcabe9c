#pragma once

#include <memory>

#include "engine/conformance/controllers/timeline.h"

namespace berth::conformance {

// Plays cases of the feature taint-eviction. See players.h.
std::unique_ptr<Player> taint_eviction_player(document::Value config, Entries& entries);

}  // namespace berth::conformance
