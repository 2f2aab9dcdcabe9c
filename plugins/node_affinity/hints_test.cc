#include <optional>

#include <gtest/gtest.h>

#include "plugins/testing/harness.h"

namespace berth::plugins::testing {
namespace {

using Bytes = std::vector<uint8_t>;
using Ids = std::vector<uint32_t>;

constexpr std::string_view kAddedArguments = R"({"addedAffinity": {
  "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": []}}})";

// True if a node matches the configuration's selector, the pod's node selector and its affinity.
struct TestNode {
  uint8_t added = 1, selector = 1, affinity = 1;
};

class NodeAffinityHintsTest : public ::testing::Test {
 protected:
  Columns pod(uint32_t selector, uint32_t affinity) {
    return {{"pod.node_selector", Ids{selector}}, {"pod.affinity", Ids{affinity}}};
  }
  Columns node(const TestNode& matches) {
    return {{host_.match_column(added_), Bytes{matches.added}},
            {host_.match_column(selector_), Bytes{matches.selector}},
            {host_.match_column(affinity_), Bytes{matches.affinity}},
            {host_.match_column(malformed_), Bytes{matches.affinity}}};
  }
  bool hint(const Columns& pod, std::optional<TestNode> before, const TestNode& after,
            std::string_view arguments = "{}") {
    host_.selectors_of_config = {added_};
    Harness plugin(host_, arguments);
    HintEvent event;
    event.kind = BERTH_ON_NODE;
    event.action = before ? BERTH_DID_UPDATE_LABEL : BERTH_DID_ADD;
    if (before) event.before = node(*before);
    event.after = node(after);
    return plugin.hint(pod, event);
  }

  FakeHost host_;
  const uint32_t added_ = host_.add_selector();
  const uint32_t selector_ = host_.add_selector();
  const uint32_t affinity_ = host_.add_selector();
  const uint32_t malformed_ = host_.add_selector({"nodeSelectorTerms[0]: bad"});
};

constexpr TestNode kMatches{};
constexpr TestNode kOtherSelector{.selector = 0};
constexpr TestNode kOtherAffinity{.affinity = 0};
constexpr TestNode kOtherAdded{.added = 0};

TEST_F(NodeAffinityHintsTest, WaitsForNodesAndTheirLabels) {
  Harness plugin(host_);
  EXPECT_EQ(plugin.actions(BERTH_ON_NODE), BERTH_DID_ADD | BERTH_DID_UPDATE_LABEL);
  EXPECT_EQ(plugin.actions(BERTH_ON_POD_ASSIGNED) | plugin.actions(BERTH_ON_POD_PENDING), 0u);
}

TEST_F(NodeAffinityHintsTest, ANewNodeMatches) {
  const Columns both = pod(selector_, affinity_);
  EXPECT_TRUE(hint(both, std::nullopt, kMatches));
  EXPECT_FALSE(hint(both, std::nullopt, kOtherSelector));
  EXPECT_FALSE(hint(both, std::nullopt, kOtherAffinity));
  EXPECT_TRUE(hint(pod(0, affinity_), std::nullopt, kOtherSelector));
  EXPECT_TRUE(hint(pod(0, 0), std::nullopt, kMatches));
}

TEST_F(NodeAffinityHintsTest, ANodeBeginsToMatch) {
  const Columns both = pod(selector_, affinity_);
  EXPECT_TRUE(hint(both, kOtherSelector, kMatches));
  EXPECT_TRUE(hint(both, kOtherAffinity, kMatches));
  EXPECT_FALSE(hint(both, kMatches, kMatches));
  EXPECT_FALSE(hint(both, kMatches, kOtherAffinity));
  EXPECT_FALSE(hint(both, kOtherSelector, kOtherAffinity));
}

// kube-scheduler compares the pod's own affinity alone with that before the update.
TEST_F(NodeAffinityHintsTest, TheAffinityOfTheConfiguration) {
  const Columns own = pod(0, affinity_);
  EXPECT_TRUE(hint(own, std::nullopt, kMatches, kAddedArguments));
  EXPECT_FALSE(hint(own, std::nullopt, kOtherAdded, kAddedArguments));
  EXPECT_FALSE(hint(own, kOtherAffinity, kOtherAdded, kAddedArguments));
  EXPECT_TRUE(hint(own, kOtherAffinity, kMatches, kAddedArguments));
  EXPECT_FALSE(hint(own, kOtherAdded, kMatches, kAddedArguments));
}

TEST_F(NodeAffinityHintsTest, AnAffinityThatCannotBeParsedIsTriedAgain) {
  const Columns bad = pod(selector_, malformed_);
  EXPECT_TRUE(hint(bad, std::nullopt, kOtherAffinity));
  EXPECT_TRUE(hint(bad, kMatches, kOtherAffinity));
  EXPECT_FALSE(hint(bad, std::nullopt, kOtherSelector));
  EXPECT_FALSE(hint(bad, kMatches, kMatches));
}

}  // namespace
}  // namespace berth::plugins::testing
