#pragma once

// The features with timelines, and who plays them. `config` may be absent; it and `entries` outlive
// the player.

#include <array>
#include <memory>
#include <string_view>

#include "engine/conformance/controllers/timeline.h"

namespace berth::conformance {

struct PlayedFeature {
  std::string_view feature;
  std::unique_ptr<Player> (*make)(document::Value config, Entries& entries);
};

inline constexpr std::array<PlayedFeature, 0> kPlayedFeatures{};

}  // namespace berth::conformance
