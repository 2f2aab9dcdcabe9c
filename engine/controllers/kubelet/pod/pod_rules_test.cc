#include "engine/controllers/kubelet/pod/pod_rules.h"

#include <gtest/gtest.h>

#include "engine/controllers/kubelet/testing.h"

namespace berth::controllers::kubelet {
namespace {

using namespace testing;

int64_t bytes(const model::Quantity& quantity) { return quantity.value(); }

TEST(PodRules, CriticalPods) {
  Pod one = pod("a");
  one.priority = 1'999'999'999;
  EXPECT_FALSE(is_critical(one));
  one.priority = 2'000'000'000;
  EXPECT_TRUE(is_critical(one));
  EXPECT_FALSE(is_node_critical(one));
  one.priority_class = "system-node-critical";
  EXPECT_TRUE(is_node_critical(one));
  Pod image = pod("b");
  image.is_mirror = true;
  EXPECT_TRUE(is_critical(image));
  EXPECT_TRUE(is_preemptable(image, pod("c")));  // not critical
  EXPECT_FALSE(is_preemptable(image, one));      // critical, and of a higher priority
  EXPECT_TRUE(is_preemptable(one, image));       // of a lower one
}

TEST(PodRules, ClassesOfContainers) {
  EXPECT_EQ(qos_class(pod("a")), QosClass::kBestEffort);
  EXPECT_EQ(qos_class(pod("a", {{"ephemeral-storage", "1Gi"}})), QosClass::kBestEffort);
  EXPECT_EQ(qos_class(pod("a", {{"cpu", "0"}})), QosClass::kBestEffort);
  const Texts both = {{"cpu", "1"}, {"memory", "1Gi"}};
  EXPECT_EQ(qos_class(pod("a", both)), QosClass::kBurstable);
  EXPECT_EQ(qos_class(pod("a", both, both)), QosClass::kGuaranteed);
  EXPECT_EQ(qos_class(pod("a", {{"cpu", "1"}}, {{"cpu", "1"}})), QosClass::kBurstable);
  Pod init = pod("a", both, both);
  init.init_containers.push_back(container({}));
  EXPECT_EQ(qos_class(init), QosClass::kBurstable);
  init.qos_class = QosClass::kGuaranteed;
  EXPECT_EQ(qos_class(init), QosClass::kGuaranteed);
}

TEST(PodRules, ResourcesOfThePodHideThoseOfContainers) {
  const Texts both = {{"cpu", "1"}, {"memory", "1Gi"}};
  Pod one = pod("a", both, both);
  one.resources.emplace();
  EXPECT_EQ(qos_class(one), QosClass::kBestEffort);
  one.resources->requests = amounts(both);
  EXPECT_EQ(qos_class(one), QosClass::kBurstable);
  one.resources->limits = amounts(both);
  EXPECT_EQ(qos_class(one), QosClass::kGuaranteed);
}

TEST(PodRules, RequestsAreTheMostAtOneTime) {
  Pod one = pod("a", {{"memory", "2Gi"}});
  one.init_containers = {container({{"memory", "1Gi"}}), container({{"memory", "512Mi"}}),
                         container({{"memory", "3Gi"}})};
  one.init_containers[1].sidecar = true;
  // The last init container runs beside the sidecar.
  EXPECT_EQ(bytes(ranked_request(one, "memory")), 3 * kGi + 512 * kMi);
  one.init_containers.pop_back();
  EXPECT_EQ(bytes(ranked_request(one, "memory")), 2 * kGi + 512 * kMi);
  one.overhead = amounts({{"cpu", "1"}, {"memory", "1Gi"}});
  EXPECT_EQ(bytes(ranked_request(one, "memory")), 3 * kGi + 512 * kMi);
  EXPECT_EQ(bytes(ranked_request(one, "cpu")), 0);  // overhead counts beside a request alone
}

TEST(PodRules, WithResourcesOfThePodNothingElseIsRequested) {
  Pod one = pod("a", {{"ephemeral-storage", "1Gi"}, {"memory", "1Gi"}});
  one.resources.emplace().requests = amounts({{"memory", "3Gi"}});
  EXPECT_EQ(bytes(ranked_request(one, "memory")), 3 * kGi);
  EXPECT_EQ(bytes(ranked_request(one, "ephemeral-storage")), 0);
  EXPECT_EQ(bytes(container_requests(one, "ephemeral-storage")), kGi);
}

TEST(PodRules, LimitsOfAllContainers) {
  Pod one = pod("a");
  one.overhead = amounts({{"ephemeral-storage", "1Gi"}});
  EXPECT_FALSE(container_limits(one, "ephemeral-storage"));
  one.containers.push_back(container({}, {{"ephemeral-storage", "2Gi"}}));
  one.containers.push_back(container({}, {{"ephemeral-storage", "3Gi"}}));
  EXPECT_EQ(container_limits(one, "ephemeral-storage")->to_string(), "6Gi");
}

}  // namespace
}  // namespace berth::controllers::kubelet
