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

}  // namespace
}  // namespace berth::plugins::testing
