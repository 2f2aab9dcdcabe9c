#include "loadgen/generate/cluster/current_nodes.h"

#include <gtest/gtest.h>

#include <set>

#include "engine/base/draw.h"
#include "loadgen/testing.h"

namespace berth::loadgen {
namespace {

// Nodes 0 to 3 are small, node 4 is large.
ClusterSpec five_nodes() {
  return parsed(head("cluster: {zones: 1, shapes: [{name: small, count: 4, allocatable: {cpu: 1}}, "
                     "{name: large, count: 1, allocatable: {cpu: 9}}]}\n"))
      .cluster;
}

std::set<uint64_t> chosen_nodes(const CurrentNodes& nodes, const std::vector<uint32_t>& shapes) {
  std::set<uint64_t> numbers;
  for (uint64_t i = 0; i < 200; ++i)
    if (const auto number = nodes.choose(shapes, mix(i))) numbers.insert(*number);
  return numbers;
}

TEST(CurrentNodes, ChoosesThoseThatAreNeitherDownNorDrained) {
  const ClusterSpec cluster = five_nodes();
  CurrentNodes nodes(cluster, 1);
  EXPECT_EQ(chosen_nodes(nodes, {}), (std::set<uint64_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(chosen_nodes(nodes, {1}), std::set<uint64_t>{4});
  nodes.fail(0);
  nodes.set_drained(2, true);
  nodes.set_label(3, "k", "v");
  EXPECT_EQ(chosen_nodes(nodes, {}), (std::set<uint64_t>{1, 3, 4}));
  EXPECT_EQ(chosen_nodes(nodes, {0}), (std::set<uint64_t>{1, 3}));
  nodes.fail(4);
  EXPECT_TRUE(chosen_nodes(nodes, {1}).empty());
  nodes.repair(0);
  nodes.set_drained(2, false);
  EXPECT_EQ(chosen_nodes(nodes, {}), (std::set<uint64_t>{0, 1, 2, 3}));
}

TEST(CurrentNodes, KeepWhatChanged) {
  const ClusterSpec cluster = five_nodes();
  CurrentNodes nodes(cluster, 1);
  const auto labelled = [&](uint64_t number) {
    for (const auto& [key, value] : nodes.now(number).labels)
      if (key == "k") return value;
    return std::string();
  };
  nodes.set_label(3, "k", "v");
  nodes.set_label(3, "k", "w");
  nodes.set_drained(3, true);
  EXPECT_EQ(labelled(3), "w");
  EXPECT_EQ(labelled(2), "");
  EXPECT_TRUE(nodes.now(3).unschedulable);
  EXPECT_EQ(nodes.now(3).taints.size(), 1u);
  EXPECT_FALSE(nodes.first(3).unschedulable);
  nodes.set_drained(3, false);
  EXPECT_FALSE(nodes.now(3).unschedulable);
  EXPECT_EQ(nodes.now(3).taints.size(), 0u);
  // Labels outlast a failure.
  nodes.fail(3);
  nodes.repair(3);
  nodes.fail(3);
  EXPECT_EQ(labelled(3), "w");
  EXPECT_EQ(nodes.failures(3), 2u);
  EXPECT_EQ(nodes.failures(2), 0u);
}

TEST(CurrentNodesDeathTest, FailAndAreRepairedInTurn) {
  const ClusterSpec cluster = five_nodes();
  CurrentNodes nodes(cluster, 1);
  nodes.fail(0);
  EXPECT_DEATH(nodes.fail(0), "assertion failed");
  EXPECT_DEATH(nodes.repair(1), "assertion failed");
}

}  // namespace
}  // namespace berth::loadgen
