#include "engine/controllers/kubelet/admission/oom_score.h"

#include <gtest/gtest.h>

#include "engine/controllers/kubelet/testing.h"

namespace berth::controllers::kubelet {
namespace {

using namespace testing;

int64_t score(const Pod& one) { return oom_score_adjust(one, one.containers[0], 10 * kGi); }

TEST(OomScores, OfClasses) {
  const Texts both = {{"cpu", "1"}, {"memory", "1Gi"}};
  EXPECT_EQ(score(pod("a")), 1000);
  EXPECT_EQ(score(pod("a", both, both)), -997);
  EXPECT_EQ(score(pod("a", {{"memory", "1Gi"}})), 900);
  EXPECT_EQ(score(pod("a", {{"memory", "10Gi"}})), 3);
  EXPECT_EQ(score(pod("a", {{"cpu", "1"}})), 999);
}

TEST(OomScores, NodeCriticalPodsAreCriticalToo) {
  Pod one = pod("a");
  one.priority_class = "system-node-critical";
  EXPECT_EQ(score(one), 1000);
  one.is_static = true;
  EXPECT_EQ(score(one), -997);
  one.priority_class = "system-cluster-critical";
  EXPECT_EQ(score(one), 1000);
}

TEST(OomScores, ASidecarLivesAsLongAsTheSmallestContainer) {
  Pod one = pod("a", {{"memory", "2Gi"}});
  one.containers.push_back(container({{"memory", "1Gi"}}, {}, "d"));
  one.init_containers.push_back(container({}, {}, "side"));
  EXPECT_EQ(oom_score_adjust(one, one.init_containers[0], 10 * kGi), 999);
  one.init_containers[0].sidecar = true;
  EXPECT_EQ(oom_score_adjust(one, one.init_containers[0], 10 * kGi), 900);
  one.init_containers[0].requests = amounts({{"memory", "5Gi"}});
  EXPECT_EQ(oom_score_adjust(one, one.init_containers[0], 10 * kGi), 500);
}

TEST(OomScores, WhatThePodRequestsBesideIsShared) {
  Pod one = pod("a", {{"memory", "1Gi"}});
  one.init_containers.push_back(container({}, {}, "init"));
  one.resources.emplace().requests = amounts({{"memory", "5Gi"}});
  EXPECT_EQ(score(one), 700);  // 1Gi and half of 4Gi
  EXPECT_EQ(oom_score_adjust(one, one.init_containers[0], 10 * kGi), 800);
}

}  // namespace
}  // namespace berth::controllers::kubelet
