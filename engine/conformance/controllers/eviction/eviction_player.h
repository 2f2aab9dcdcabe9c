#pragma once

#include <memory>

#include "engine/conformance/controllers/timeline.h"

namespace berth::conformance {

// Plays the feature eviction-api (players.h).
std::unique_ptr<Player> make_eviction_player(document::Value config, Entries& entries);

}  // namespace berth::conformance
