#include "engine/output/resource_use.h"

#include <gtest/gtest.h>

namespace berth::output {
namespace {

model::Node node(const std::string& name, model::ResourceList allocatable) {
  model::Node node;
  node.name = name;
  node.allocatable = std::move(allocatable);
  return node;
}

model::Pod pod(const std::string& name, model::ResourceList requests) {
  model::Pod pod;
  pod.namespace_name = "default";
  pod.name = name;
  model::Container container;
  container.requests = std::move(requests);
  pod.spec.containers = {container};
  return pod;
}

using model::Quantity;

TEST(ResourceUse, SumsWhatNodesHaveAndPodsRequest) {
  model::Cluster cluster;
  cluster.put_node(node("a", {{"cpu", Quantity::from_milli(4000)},
                              {"z.io/gpu", Quantity::from_units(8)},
                              {"b.io/none", Quantity::from_units(0)},
                              {"pods", Quantity::from_units(110)}}));
  cluster.put_node(node(
      "b", {{"cpu", Quantity::from_milli(2000)}, {"a.io/fpga", Quantity::from_units(INT64_MAX)}}));
  cluster.put_node(node("c", {{"a.io/fpga", Quantity::from_units(3)}}));
  cluster.order_rows();
  cluster.place(cluster.add_pod(pod("p", {{"cpu", Quantity::from_milli(500)},
                                          {"z.io/gpu", Quantity::from_units(1)}})),
                "a");
  cluster.place(cluster.add_pod(pod("q", {{"cpu", Quantity::from_milli(300)},
                                          {"other.io/x", Quantity::from_units(1)}})),
                "b");
  const std::vector<ResourceUse> uses = resource_use(cluster);
  ASSERT_EQ(uses.size(), 4u);
  auto expect = [&](size_t i, const std::string& name, int64_t requested, int64_t allocatable) {
    EXPECT_EQ(uses[i].resource, name);
    EXPECT_EQ(uses[i].requested, requested) << name;
    EXPECT_EQ(uses[i].allocatable, allocatable) << name;
  };
  expect(0, "cpu", 800, 6000);
  expect(1, "pods", 2, 110);
  expect(2, "a.io/fpga", 0, INT64_MAX);
  expect(3, "z.io/gpu", 1, 8);
}

// A column holds a value for each node: one per resource is nodes times resources.
TEST(ResourceUse, MakesNoColumns) {
  model::Cluster cluster;
  for (int i = 0; i < 50; ++i)
    cluster.put_node(node("n" + std::to_string(i),
                          {{"example.com/r-" + std::to_string(i), Quantity::from_units(1)}}));
  cluster.order_rows();
  const model::ColumnId before = cluster.catalog().size();
  EXPECT_EQ(resource_use(cluster).size(), 50u);
  EXPECT_EQ(cluster.catalog().size(), before);
}

TEST(ResourceUse, OfEachNode) {
  model::Cluster cluster;
  model::Node zoned = node("a", {{"cpu", Quantity::from_milli(4000)}});
  zoned.labels = {{"topology.kubernetes.io/zone", "z"}};
  cluster.put_node(zoned);
  cluster.put_node(node("b", {{"cpu", Quantity::from_milli(2000)}}));
  cluster.order_rows();
  cluster.place(cluster.add_pod(pod("p", {{"cpu", Quantity::from_milli(500)}})), "a");
  const std::vector<NodeUse> uses = node_uses(cluster);
  ASSERT_EQ(uses.size(), 2u);
  const NodeUse& full = uses[uses[0].node == "a" ? 0 : 1];
  const NodeUse& empty = uses[uses[0].node == "a" ? 1 : 0];
  EXPECT_EQ(full.zone, "z");
  EXPECT_EQ(full.pods, 1u);
  ASSERT_EQ(full.resources.size(), 1u);
  EXPECT_EQ(full.resources[0].requested, 500);
  EXPECT_EQ(full.resources[0].allocatable, 4000);
  EXPECT_EQ(empty.zone, "");
  EXPECT_EQ(empty.resources[0].requested, 0);
}

}  // namespace
}  // namespace berth::output
