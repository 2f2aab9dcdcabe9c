#include <gtest/gtest.h>

#include "plugins/testing/harness.h"

namespace berth::plugins::testing {
namespace {

TEST(SchedulingGates, HoldsPodsWithGates) {
  FakeHost host;
  Harness plugin(host);
  const std::vector<std::vector<uint32_t>> gates = {
      {}, host.ids({"example.com/foo"}), host.ids({"", "b", "a"})};
  EXPECT_EQ(plugin.pre_enqueue({{"pod.scheduling_gates", gates}}),
            (std::vector<Verdict>{
                {},
                {BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE,
                 {"waiting for scheduling gates: [example.com/foo]"}},
                {BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE, {"waiting for scheduling gates: [ b a]"}}}));
}

}  // namespace
}  // namespace berth::plugins::testing
