// Columns of rare resources hold what nodes offer and pods request, whenever they are made.

#include "engine/model/cluster/resource_slots.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/model/cluster/cluster.h"

namespace berth::model {
namespace {

using Slots = std::vector<Slot>;

Slots slots_of(const ResourceSlots& slots, StringId resource) {
  Slots found;
  slots.for_each(resource, [&](Slot slot) { found.push_back(slot); });
  return found;
}

TEST(ResourceSlots, AreListedOnce) {
  Strings strings;
  ResourceSlots slots(strings);
  for (const Slot slot : {130u, 3u, 64u, 3u, 63u}) slots.note(7, slot);
  slots.note(8, 1);
  EXPECT_EQ(slots_of(slots, 7), (Slots{3, 63, 64, 130}));
  EXPECT_EQ(slots_of(slots, 8), Slots{1});
  EXPECT_EQ(slots_of(slots, 9), Slots{});
}

TEST(ResourceSlots, AreForgottenWithWhatTheyHad) {
  Strings strings;
  ResourceSlots slots(strings);
  for (const Slot slot : {0u, 63u, 64u, 200u}) slots.note(7, slot);
  slots.note(8, 5);
  slots.keep([](StringId resource, Slot slot) { return resource == 7 && slot >= 64; });
  EXPECT_EQ(slots_of(slots, 7), (Slots{64, 200}));
  EXPECT_EQ(slots_of(slots, 8), Slots{});
  EXPECT_EQ(slots.resources(), 1u);
}

class RareResources : public testing::Test {
 protected:
  void put(const std::string& name, const std::vector<std::pair<std::string, int64_t>>& offers) {
    Node node;
    node.name = name;
    for (const auto& [resource, units] : offers)
      node.allocatable.emplace_back(resource, Quantity::from_units(units));
    cluster_.put_node(node);
    cluster_.order_rows();
  }

  PodId place(const std::string& name, const std::string& on, const std::string& resource,
              int64_t units) {
    Pod pod;
    pod.namespace_name = "default";
    pod.name = name;
    pod.spec.containers.resize(1);
    pod.spec.containers[0].requests = {{resource, Quantity::from_units(units)}};
    const PodId id = cluster_.add_pod(pod);
    cluster_.place(id, on);
    return id;
  }

  // The column by row, made now.
  std::vector<int64_t> column(const std::string& name) {
    const berth_column view = cluster_.view(cluster_.find_column(name));
    const auto* values = static_cast<const int64_t*>(view.data);
    return {values, values + view.count};
  }

  Cluster cluster_;
};

using Values = std::vector<int64_t>;

TEST_F(RareResources, AreFoundWhereTheyAre) {
  put("a", {{"cpu", 4}});
  put("b", {{"cpu", 4}, {"example.com/chip", 2}, {"example.com/disk", 0}});
  put("c", {{"cpu", 4}});
  place("on-one-that-offers-it", "b", "example.com/chip", 1);
  place("on-one-that-does-not", "c", "example.com/chip", 3);
  EXPECT_EQ(column("node.allocatable:example.com/chip"), (Values{0, 2, 0}));
  EXPECT_EQ(column("node.requested:example.com/chip"), (Values{0, 1, 3}));
  EXPECT_EQ(column("node.allocatable:example.com/disk"), (Values{0, 0, 0}));
  EXPECT_EQ(cluster_.nodes().fault(), "");
}

TEST_F(RareResources, AreFoundOnNodesThatCameAfterTheirPods) {
  place("early", "later", "example.com/chip", 2);
  put("first", {});
  put("later", {});
  EXPECT_EQ(column("node.requested:example.com/chip"), (Values{0, 2}));
}

TEST_F(RareResources, AreFoundAfterUpdatesAndCollections) {
  put("a", {{"example.com/old", 1}, {"example.com/chip", 1}});
  put("b", {{"example.com/chip", 1}});
  const PodId gone = place("gone", "b", "example.com/disk", 5);
  place("stays", "a", "example.com/disk", 7);
  put("a", {{"example.com/new", 3}, {"example.com/chip", 2}});
  cluster_.remove_pod(gone);
  cluster_.collect(Cluster::Retired::kAll);
  EXPECT_EQ(column("node.allocatable:example.com/chip"), (Values{2, 1}));
  EXPECT_EQ(column("node.allocatable:example.com/new"), (Values{3, 0}));
  EXPECT_EQ(column("node.allocatable:example.com/old"), (Values{0, 0}));
  EXPECT_EQ(column("node.requested:example.com/disk"), (Values{7, 0}));
  EXPECT_EQ(cluster_.nodes().fault(), "");
}

TEST_F(RareResources, AreKeptWhereTheSumOfRequestsWrapsToZero) {
  constexpr int64_t kQuarter = int64_t{1} << 62;
  put("a", {});
  PodId last;
  for (const char* name : {"1", "2", "3", "4"})
    last = place(name, "a", "example.com/chip", kQuarter);
  cluster_.collect(Cluster::Retired::kAll);
  cluster_.remove_pod(last);
  const Values all = column("node.requested:example.com/chip");
  EXPECT_EQ(all.at(0), static_cast<int64_t>(3 * static_cast<uint64_t>(kQuarter)));
}

TEST_F(RareResources, OfASlotAndANameThatAreUsedAgain) {
  for (const char* name : {"old", "new"}) {
    const std::string chip = std::string("example.com/") + name;
    put(name, {{chip, 2}});
    const PodId pod = place(name, name, chip, 1);
    EXPECT_EQ(column("node.allocatable:" + chip), Values{2}) << name;
    EXPECT_EQ(column("node.requested:" + chip), Values{1}) << name;
    cluster_.remove_pod(pod);
    cluster_.remove_node(name);
    cluster_.order_rows();
    for (int i = 0; i < 2; ++i) cluster_.collect(Cluster::Retired::kAll);
  }
}

}  // namespace
}  // namespace berth::model
