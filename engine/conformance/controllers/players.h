#pragma once

// The features with timelines, and who plays them. `config` may be absent; it and `entries` outlive
// the player.

#include <array>
#include <memory>
#include <string_view>

#include "engine/conformance/controllers/kubelet_admission_player.h"
#include "engine/conformance/controllers/node_pressure_player.h"
#include "engine/conformance/controllers/timeline.h"

namespace berth::conformance {

struct PlayedFeature {
  std::string_view feature;
  std::unique_ptr<Player> (*make)(document::Value config, Entries& entries);
};

inline constexpr std::array kPlayedFeatures{
    PlayedFeature{"kubelet-admission", make_kubelet_admission_player},
    PlayedFeature{"node-pressure", make_node_pressure_player},
};

}  // namespace berth::conformance
