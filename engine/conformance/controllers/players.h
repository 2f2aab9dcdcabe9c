#pragma once

// The features with timelines, and who plays them. `config` may be absent; it and `entries` outlive
// the player.

#include <array>
#include <memory>
#include <string_view>

#include "engine/conformance/controllers/eviction/eviction_player.h"
#include "engine/conformance/controllers/kubelet_admission_player.h"
#include "engine/conformance/controllers/node_pressure_player.h"
#include "engine/conformance/controllers/nodes/node_lifecycle_player.h"
#include "engine/conformance/controllers/nodes/pod_gc_player.h"
#include "engine/conformance/controllers/nodes/taint_eviction_player.h"
#include "engine/conformance/controllers/timeline.h"

namespace berth::conformance {

struct PlayedFeature {
  std::string_view feature;
  std::unique_ptr<Player> (*make)(document::Value config, Entries& entries);
};

inline constexpr auto kPlayedFeatures = std::to_array<PlayedFeature>({
    {"eviction-api", make_eviction_player},
    {"kubelet-admission", make_kubelet_admission_player},
    {"node-lifecycle", node_lifecycle_player},
    {"node-pressure", make_node_pressure_player},
    {"pod-gc", pod_gc_player},
    {"taint-eviction", taint_eviction_player},
});

}  // namespace berth::conformance
