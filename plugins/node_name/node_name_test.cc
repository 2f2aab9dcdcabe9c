#include <gtest/gtest.h>

#include "plugins/testing/harness.h"

namespace berth::plugins::testing {
namespace {

constexpr berth_code kNever = BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE;
const Verdict kFits{};
const Verdict kOther{kNever, {"node(s) didn't match the requested node name"}};

class NodeNameTest : public ::testing::Test {
 protected:
  std::vector<Verdict> filter(uint32_t wanted) {
    return plugin_.filter({{"pod.node_name", std::vector<uint32_t>{wanted}},
                           {"node.name", host_.ids({"a", "b", "c"})}});
  }

  FakeHost host_;
  Harness plugin_{host_};
};

TEST_F(NodeNameTest, OnlyTheNamedNode) {
  EXPECT_EQ(filter(host_.id("b")), (std::vector{kOther, kFits, kOther}));
  EXPECT_FALSE(plugin_.passed());
  EXPECT_EQ(plugin_.inputs(), (std::vector<std::string>{"node.name"}));
}

TEST_F(NodeNameTest, ANodeThatDoesNotExist) {
  EXPECT_EQ(filter(host_.id("gone")), (std::vector{kOther, kOther, kOther}));
}

TEST_F(NodeNameTest, NoNameNoRule) {
  EXPECT_EQ(filter(0), (std::vector{kFits, kFits, kFits}));
  EXPECT_TRUE(plugin_.passed());
}

TEST_F(NodeNameTest, DoesNotNeedPreFilter) {
  EXPECT_EQ(plugin_.filter({{"pod.node_name", std::vector<uint32_t>{host_.id("b")}},
                            {"node.name", host_.ids({"a"})}},
                           0),
            std::vector{kOther});
}

TEST_F(NodeNameTest, HintsWaitForNewNodes) {
  EXPECT_EQ(plugin_.actions(BERTH_ON_NODE), BERTH_DID_ADD);
  EXPECT_EQ(plugin_.actions(BERTH_ON_POD_ASSIGNED) | plugin_.actions(BERTH_ON_POD_PENDING), 0u);
  HintEvent event;
  event.kind = BERTH_ON_NODE;
  event.action = BERTH_DID_ADD;
  event.after.emplace();
  EXPECT_TRUE(plugin_.hint({}, event));
}

}  // namespace
}  // namespace berth::plugins::testing
