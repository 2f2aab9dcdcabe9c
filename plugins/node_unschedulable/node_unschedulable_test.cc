#include <gtest/gtest.h>

#include "plugins/testing/harness.h"

namespace berth::plugins::testing {
namespace {

const Verdict kFits{};
const Verdict kCordoned{BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE, {"node(s) were unschedulable"}};

class NodeUnschedulableTest : public ::testing::Test {
 protected:
  using Lists = std::vector<std::vector<uint32_t>>;

  // The verdicts on a cordoned and an uncordoned node for a pod with one toleration; "" means
  // empty.
  std::vector<Verdict> filter(std::string_view key, std::string_view op, std::string_view value,
                              std::string_view effect) {
    const auto id = [&](std::string_view text) { return text.empty() ? 0u : host_.id(text); };
    return plugin_.filter({{"pod.toleration_keys", Lists{{id(key)}}},
                           {"pod.toleration_operators", Lists{{id(op)}}},
                           {"pod.toleration_values", Lists{{host_.id(value)}}},
                           {"pod.toleration_effects", Lists{{id(effect)}}},
                           {"node.unschedulable", std::vector<uint8_t>{1, 0}}});
  }

  FakeHost host_;
  Harness plugin_{host_};
};

TEST_F(NodeUnschedulableTest, RefusesCordonedNodes) {
  const std::vector<Verdict> refused = {kCordoned, kFits};
  EXPECT_EQ(filter("example.com/other", "Exists", "", ""), refused);
  EXPECT_EQ(filter("node.kubernetes.io/unschedulable", "Exists", "", "NoExecute"), refused);
  EXPECT_EQ(filter("node.kubernetes.io/unschedulable", "Equal", "true", "NoSchedule"), refused);
  EXPECT_FALSE(plugin_.passed());
}

TEST_F(NodeUnschedulableTest, UnlessThePodToleratesTheTaint) {
  const std::vector<Verdict> fits = {kFits, kFits};
  EXPECT_EQ(filter("node.kubernetes.io/unschedulable", "Exists", "", "NoSchedule"), fits);
  EXPECT_EQ(filter("node.kubernetes.io/unschedulable", "", "", ""), fits);
  EXPECT_EQ(filter("", "Exists", "", ""), fits);
  EXPECT_TRUE(plugin_.passed());
}

class NodeUnschedulableHintsTest : public NodeUnschedulableTest {
 protected:
  // A pod with one toleration.
  Columns pod(std::string_view key, std::string_view effect) {
    return {{"pod.toleration_keys", Lists{{host_.id(key)}}},
            {"pod.toleration_operators", Lists{{host_.id("Exists")}}},
            {"pod.toleration_values", Lists{{host_.id("")}}},
            {"pod.toleration_effects", Lists{{host_.id(effect)}}}};
  }
  static Columns node(uint8_t unschedulable) {
    return {{"node.unschedulable", std::vector<uint8_t>{unschedulable}}};
  }
  bool hint(uint32_t action, std::optional<Columns> before, std::optional<Columns> after) {
    HintEvent event;
    event.kind = BERTH_ON_NODE;
    event.action = action;
    event.before = std::move(before);
    event.after = std::move(after);
    return plugin_.hint(pod("example.com/other", "NoSchedule"), event);
  }
  bool hint_tolerating(std::string_view key, std::string_view effect, bool self) {
    HintEvent event;
    event.kind = BERTH_ON_POD_PENDING;
    event.action = BERTH_DID_UPDATE_TOLERATION;
    event.before = pod("example.com/other", "NoSchedule");
    event.after = pod(key, effect);
    event.self = self;
    return plugin_.hint(*event.after, event);
  }
};

TEST_F(NodeUnschedulableHintsTest, NodesWithoutACordon) {
  EXPECT_EQ(plugin_.actions(BERTH_ON_NODE), BERTH_DID_ADD | BERTH_DID_UPDATE_TAINT);
  EXPECT_TRUE(hint(BERTH_DID_ADD, std::nullopt, node(0)));
  EXPECT_FALSE(hint(BERTH_DID_ADD, std::nullopt, node(1)));
  EXPECT_TRUE(hint(BERTH_DID_UPDATE_TAINT, node(1), node(0)));
  EXPECT_FALSE(hint(BERTH_DID_UPDATE_TAINT, node(0), node(1)));
  EXPECT_FALSE(hint(BERTH_DID_UPDATE_TAINT, node(0), node(0)));
  EXPECT_FALSE(hint(BERTH_DID_UPDATE_TAINT, node(1), node(1)));
}

TEST_F(NodeUnschedulableHintsTest, AToleration) {
  constexpr std::string_view kKey = "node.kubernetes.io/unschedulable";
  EXPECT_EQ(plugin_.actions(BERTH_ON_POD_PENDING), BERTH_DID_UPDATE_TOLERATION);
  EXPECT_TRUE(hint_tolerating(kKey, "NoSchedule", true));
  EXPECT_FALSE(hint_tolerating(kKey, "NoExecute", true));
  EXPECT_FALSE(hint_tolerating("example.com/more", "NoSchedule", true));
  EXPECT_FALSE(hint_tolerating(kKey, "NoSchedule", false));
}

}  // namespace
}  // namespace berth::plugins::testing
