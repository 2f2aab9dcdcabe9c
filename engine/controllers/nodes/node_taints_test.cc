#include "engine/controllers/nodes/node_taints.h"

#include <gtest/gtest.h>

#include <string>

namespace berth::controllers {
namespace {

Condition says(const std::string& type, const std::string& status) {
  return {type, status, "", "", {}};
}

std::string keys(const std::vector<model::Taint>& taints) {
  std::string text;
  for (const model::Taint& taint : taints)
    text += taint.key.substr(taint.key.find('/') + 1) + ":" + taint.effect + " ";
  return text;
}

TEST(NodeTaints, FollowConditions) {
  std::vector<model::Taint> taints;
  EXPECT_TRUE(put_condition_taints(
      taints, {says("Ready", "False"), says("DiskPressure", "True"), says("PIDPressure", "False")},
      true));
  EXPECT_EQ(keys(taints),
            "unschedulable:NoSchedule not-ready:NoSchedule disk-pressure:NoSchedule ");
  EXPECT_TRUE(put_condition_taints(
      taints, {says("Ready", "Unknown"), says("DiskPressure", "Unknown")}, false));
  EXPECT_EQ(keys(taints), "unreachable:NoSchedule ");
  EXPECT_FALSE(put_condition_taints(taints, {says("Ready", "Unknown")}, false));
}

TEST(NodeTaints, OnlyNoScheduleTaintsOfTheirKeysAreOwned) {
  std::vector<model::Taint> taints = {
      {std::string(kNotReady), "", "NoExecute"},
      {"node.kubernetes.io/memory-pressure", "", "PreferNoSchedule"},
      {"node.kubernetes.io/out-of-service", "", "NoSchedule"},
      {"node.kubernetes.io/pid-pressure", "mine", "NoSchedule"},
      {"node.kubernetes.io/network-unavailable", "", "NoSchedule"}};
  EXPECT_TRUE(
      put_condition_taints(taints, {says("Ready", "True"), says("PIDPressure", "True")}, false));
  EXPECT_EQ(keys(taints),
            "not-ready:NoExecute memory-pressure:PreferNoSchedule out-of-service:NoSchedule "
            "pid-pressure:NoSchedule ");
  EXPECT_EQ(taints[3].value, "mine");
}

TEST(NodeTaints, ATaintThatIsPutHasNoValue) {
  std::vector<model::Taint> taints = {{"k", "v", "NoExecute"}};
  EXPECT_TRUE(put_taint(taints, "k", kNoExecute));
  EXPECT_EQ(taints, (std::vector<model::Taint>{{"k", "", "NoExecute"}}));
  EXPECT_FALSE(put_taint(taints, "k", kNoExecute));
}

}  // namespace
}  // namespace berth::controllers
