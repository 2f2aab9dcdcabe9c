#include <gtest/gtest.h>

#include "engine/model/cluster/cluster.h"

namespace berth::model {
namespace {

constexpr char kLabel[] = "scheduling.x-k8s.io/pod-group";

class PodGroupsTest : public ::testing::Test {
 protected:
  PodGroupsTest() {
    Node node;
    node.name = "a";
    cluster_.put_node(node);
  }
  PodId pod(const char* name, const char* group, const char* space = "default") {
    Pod pod;
    pod.name = pod.uid = name;
    pod.namespace_name = space;
    if (*group != 0) pod.spec.labels = {{kLabel, group}};
    return cluster_.add_pod(pod);
  }
  void put(const char* name, int64_t size) {
    cluster_.put_pod_group({"default", name, size, 7'000'000'000, 30});
  }
  const PodGroups::Group* group_of(PodId id) const {
    const PodRecord& pod = cluster_.pod(id);
    return cluster_.pod_groups().find(pod.namespace_name, cluster_.templates().labels(pod.labels));
  }

  Cluster cluster_;
};

TEST_F(PodGroupsTest, APodHasTheGroupThatItNames) {
  const PodId one = pod("one", "g");
  EXPECT_EQ(group_of(one), nullptr);
  put("other", 1);
  EXPECT_EQ(group_of(one), nullptr);
  put("g", 3);
  ASSERT_NE(group_of(one), nullptr);
  EXPECT_EQ(group_of(one)->number, 2);
  EXPECT_EQ(group_of(one)->min_member, 3);
  EXPECT_EQ(group_of(one)->timeout_seconds, 30);
  EXPECT_EQ(group_of(pod("two", "")), nullptr);
  EXPECT_EQ(group_of(pod("three", "g", "elsewhere")), nullptr);
  put("g", 5);
  EXPECT_EQ(group_of(one)->number, 2);
  EXPECT_EQ(group_of(one)->min_member, 5);
  EXPECT_TRUE(cluster_.remove_pod_group("default", "g"));
  EXPECT_FALSE(cluster_.remove_pod_group("default", "g"));
  EXPECT_EQ(group_of(one), nullptr);
}

// The order in which the group and its pods come and go does not matter.
TEST_F(PodGroupsTest, PodsWithNodesAreCounted) {
  const PodId before = pod("before", "g");
  cluster_.place(before, "a");
  put("g", 3);
  EXPECT_EQ(group_of(before)->placed, 1);
  const PodId after = pod("after", "g");
  EXPECT_EQ(group_of(before)->placed, 1);
  cluster_.place(after, "a");
  EXPECT_EQ(group_of(before)->placed, 2);
  EXPECT_TRUE(cluster_.remove_pod_group("default", "g"));
  put("other", 1);
  cluster_.unplace(before);
  put("g", 3);
  EXPECT_EQ(group_of(after)->placed, 1);
  Pod changed;
  changed.name = changed.uid = "after";
  changed.namespace_name = "default";
  cluster_.update_pod(after, cluster_.record_of(changed));
  EXPECT_EQ(group_of(before)->placed, 0);
}

}  // namespace
}  // namespace berth::model
