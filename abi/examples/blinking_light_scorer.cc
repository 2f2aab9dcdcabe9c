// The scheduling framework's own example: BlinkingLightScorer ranks nodes by how many blinking
// lights they have. A node says so in its capacity, as it does for any extended resource; how many
// are many depends on the others, so scores are normalised to the highest.

#include <algorithm>

#include "berth/sdk/sdk.hpp"

namespace sdk = berth::sdk;

struct BlinkingLights : sdk::Score<> {
  sdk::Input<int64_t> lights{*this, "node.allocatable:example.com/blinking-light"};

  BlinkingLights() : Score(BERTH_NORMALISE_MAX) {}

  void score(const Call& call, std::span<int64_t> raw) const override {
    std::ranges::copy(call[lights], raw.begin());
  }
};

BERTH_SDK_PLUGIN(sdk::Hooks<BlinkingLights>, "com.example.blinking-light-scorer",
                 "BlinkingLightScorer", BERTH_SCORE);
