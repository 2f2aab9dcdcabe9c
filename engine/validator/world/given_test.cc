// Objects of a user's files in the cluster of a check.

#include "engine/validator/world/given.h"

#include <gtest/gtest.h>

namespace berth::validator {
namespace {

model::Pod pod_on(const std::string& name, const std::string& node) {
  model::Pod pod;
  pod.namespace_name = "default", pod.name = name, pod.uid = name;
  pod.spec.node_name = node;
  return pod;
}

TEST(Given, PodsRunWhereTheyAreAndOthersWait) {
  GivenObjects given;
  model::Node node;
  node.name = "here";
  given.others.emplace_back(node);
  given.pods = {pod_on("runs", "here"), pod_on("waits", ""), pod_on("waits", "here"),
                pod_on("is-over", "here")};
  given.pods.back().phase = model::PodPhase::kSucceeded;
  model::Cluster cluster;
  const GivenPods made = put_given(given, cluster);
  ASSERT_EQ(made.placed.size(), 1u);
  ASSERT_EQ(made.waiting.size(), 1u);
  EXPECT_EQ(made.placed[0], cluster.find_pod("default", "runs"));
  EXPECT_EQ(made.waiting[0], cluster.find_pod("default", "waits"));
  EXPECT_EQ(cluster.placed_pods(), 1u);
  EXPECT_EQ(cluster.nodes().rows(), 1u);
}

}  // namespace
}  // namespace berth::validator
