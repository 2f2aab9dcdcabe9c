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

TEST(SchedulingGates, HintsWaitForThePodsOwnLastGate) {
  FakeHost host;
  Harness plugin(host);
  EXPECT_EQ(plugin.actions(BERTH_ON_POD_PENDING), BERTH_DID_UPDATE_GATES);
  EXPECT_EQ(plugin.actions(BERTH_ON_POD_ASSIGNED), BERTH_DID_UPDATE_GATES);
  EXPECT_EQ(plugin.actions(BERTH_ON_NODE), 0u);
  HintEvent event;
  event.kind = BERTH_ON_POD_PENDING;
  event.action = BERTH_DID_UPDATE_GATES;
  event.before.emplace();
  event.after.emplace();
  EXPECT_FALSE(plugin.hint({}, event));
  event.self = true;
  EXPECT_TRUE(plugin.hint({}, event));
}

}  // namespace
}  // namespace berth::plugins::testing
