// The scheduling framework's own example: BlinkingLightScorer prefers nodes with more blinking
// lights. A node lists them in its capacity, like any extended resource. Scores are normalised to
// the node with the most.

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
