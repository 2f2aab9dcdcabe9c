#include <gtest/gtest.h>

#include "engine/model/cluster/cluster.h"

namespace berth::model {
namespace {

// A nominated pod that is in no queue takes a place and nothing else.
TEST(EmptyNomination, IsOfAPodWithoutRequests) {
  Cluster cluster;
  Node node;
  node.name = "n";
  cluster.put_node(node);
  const auto pod = [&](const char* name) {
    Pod pod;
    pod.namespace_name = "default";
    pod.name = name;
    pod.nominated_node_name = "n";
    pod.spec.containers.emplace_back().requests = {{"cpu", Quantity::from_milli(5)}};
    return cluster.add_pod(pod);
  };
  const PodId p = pod("p"), q = pod("q");
  cluster.empty_nomination(p);
  EXPECT_FALSE(cluster.pod(p).nominated) << "only of a nominated pod";
  cluster.nominate(p);
  cluster.nominate(q);
  const Slot slot = cluster.nodes().find(cluster.pod(p).nominated_node);
  const auto all = [&] { return cluster.nodes().nominations().at(slot); };
  for (int again = 0; again < 2; ++again) {
    cluster.empty_nomination(p);
    EXPECT_EQ(cluster.fault(), "");
    ASSERT_EQ(all().size(), 2u);
    EXPECT_EQ(all()[0].pod.pod, p) << "it keeps its place";
    EXPECT_EQ(all()[0].priority, 0);
    EXPECT_TRUE(cluster.templates()[all()[0].pod.pod_template].accounted.empty());
    EXPECT_EQ(cluster.nominated_record(p).shape, all()[0].pod.shape);
    EXPECT_EQ(cluster.nominated_record(p).name, cluster.pod(p).name);
  }
  cluster.collect(Cluster::Retired::kAll);
  EXPECT_EQ(cluster.nominated_record(p).pod_template, all()[0].pod.pod_template);
  cluster.nominate(p);
  EXPECT_EQ(all()[1].pod.pod, p) << "it is nominated anew";
  EXPECT_EQ(all()[1].pod.shape, cluster.pod(p).shape);
  EXPECT_EQ(cluster.nominated_record(p).shape, cluster.pod(p).shape);
  EXPECT_EQ(cluster.fault(), "");
  cluster.empty_nomination(p);
  cluster.empty_nomination(q);
  cluster.withdraw_nomination(q);
  cluster.remove_pod(p);
  EXPECT_TRUE(all().empty());
  EXPECT_EQ(cluster.fault(), "");
}

}  // namespace
}  // namespace berth::model
