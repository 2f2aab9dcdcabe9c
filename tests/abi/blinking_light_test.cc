#include <gtest/gtest.h>

#include "plugins/testing/harness.h"

namespace berth::plugins::testing {
namespace {

TEST(BlinkingLightScorer, RanksNodesByTheirLights) {
  FakeHost host;
  Harness plugin(host);
  EXPECT_EQ(plugin.score(
                {{"node.allocatable:example.com/blinking-light", std::vector<int64_t>{0, 3, 12}}}),
            (std::vector<int64_t>{0, 3, 12}));
  EXPECT_EQ(plugin.table<berth_score>(BERTH_SCORE)->normalise, BERTH_NORMALISE_MAX);
}

}  // namespace
}  // namespace berth::plugins::testing
