#pragma once

#include <memory>

#include "engine/conformance/controllers/timeline.h"

namespace berth::conformance {

// Plays cases of the feature pod-gc. See players.h.
std::unique_ptr<Player> pod_gc_player(document::Value config, Entries& entries);

}  // namespace berth::conformance
