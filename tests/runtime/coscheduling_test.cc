// The plugin Coscheduling in the core: groups are bound together or not at all.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/testing.h"

namespace berth::tests {
namespace {

using std::chrono::seconds;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class CoschedulingTest : public CoreTest {
 protected:
  void SetUp() override { start_with(R"("minMember":3,"permitWaitingTimeSeconds":10)"); }
  void start_with(const std::string& args) {
    start(R"([{"schedulerName":"default-scheduler",
               "plugins":{"multiPoint":{"enabled":[{"name":"Coscheduling"}]},
                          "queueSort":{"disabled":[{"name":"*"}],
                                       "enabled":[{"name":"Coscheduling"}]}},
               "pluginConfig":[{"name":"Coscheduling","args":{)" +
          args + "}}]}]");
    cluster().put_node(node("n", 3));
  }
  static model::Pod member(const std::string& name, const std::string& group) {
    model::Pod made = pod(name);
    made.spec.labels = {{"scheduling.x-k8s.io/pod-group", group}};
    return made;
  }
};

TEST_F(CoschedulingTest, AGroupIsBoundWhenItIsComplete) {
  schedule({member("a1", "a"), member("a2", "a")});
  EXPECT_THAT(bindings.all, IsEmpty());
  schedule({member("a3", "a")});
  EXPECT_THAT(bindings.all, UnorderedElementsAre("a1@n", "a2@n", "a3@n"));
}

TEST_F(CoschedulingTest, PodsOfNoGroupAreBoundAtOnce) {
  schedule({pod("alone"), member("a1", "a")});
  EXPECT_THAT(bindings.all, UnorderedElementsAre("alone@n"));
}

TEST_F(CoschedulingTest, PodsOfOtherGroupsDoNotCount) {
  schedule({member("a1", "a"), member("a2", "a"), member("b1", "b")});
  EXPECT_THAT(bindings.all, IsEmpty());
  EXPECT_EQ(core->scheduler().bindings().permits().size(), 3u);
}

TEST_F(CoschedulingTest, IfOnePodIsLateTheWholeGroupGivesItsNodesBack) {
  schedule({member("a1", "a")});
  core->advance_to(seconds(5));
  schedule({member("a2", "a")});
  core->advance_to(seconds(10));
  EXPECT_EQ(core->scheduler().bindings().permits().size(), 0u);
  EXPECT_FALSE(is_placed("a1"));
  EXPECT_FALSE(is_placed("a2"));
  EXPECT_THAT(bindings.all, IsEmpty());
}

// Seed 2209 of the simulation: each pod slept while another one of its group waited.
TEST_F(CoschedulingTest, APodThatWaitsBringsBackThoseThatWereRefused) {
  schedule({member("a1", "a"), member("a2", "a")});
  core->advance_to(seconds(10));
  EXPECT_EQ(core->scheduler().bindings().permits().size(), 0u);
  core->advance_to(seconds(20));
  schedule({member("a3", "a")});
  core->run_until_idle();
  EXPECT_THAT(bindings.all, UnorderedElementsAre("a1@n", "a2@n", "a3@n"));
}

TEST_F(CoschedulingTest, AGroupThatFailedIsBoundOnceThereIsRoomForAllOfIt) {
  cluster().put_node(node("n", 2));
  schedule({member("a1", "a"), member("a2", "a"), member("a3", "a")});
  core->advance_to(seconds(10));
  core->run_until_idle();
  EXPECT_THAT(bindings.all, IsEmpty());
  apply(model::added(node("m", 1)));
  while (core->unfinished() && core->now() < seconds(60)) {
    core->run_until_idle();
    core->advance_to(core->now() + seconds(1));
  }
  EXPECT_EQ(bindings.all.size(), 3u);
}

// A pod that comes when its PodGroup is complete goes on at once, and one that finds no node gives
// up the nodes of the others.
TEST_F(CoschedulingTest, APodGroupGivesTheSize) {
  cluster().put_pod_group({"default", "a", 2, 0, 0});
  schedule({member("a1", "a"), member("a2", "a")});
  EXPECT_THAT(bindings.all, UnorderedElementsAre("a1@n", "a2@n"));
  schedule({member("a3", "a")});
  EXPECT_THAT(bindings.all, UnorderedElementsAre("a1@n", "a2@n", "a3@n"));
}

TEST_F(CoschedulingTest, APodThatFindsNoNodeGivesUpThoseOfItsPodGroup) {
  cluster().put_pod_group({"default", "a", 5, 0, 0});
  schedule({member("a1", "a"), member("a2", "a"), member("a3", "a"), member("a4", "a")});
  EXPECT_EQ(core->scheduler().bindings().permits().size(), 0u);
  EXPECT_THAT(bindings.all, IsEmpty());
}

// One pod of four is missing.
class PatientCoschedulingTest : public CoschedulingTest {
  void SetUp() override {
    start_with(R"("permitWaitingTimeSeconds":99999999999,"podGroupRejectPercentage":25)");
  }
};

TEST_F(PatientCoschedulingTest, FewMissingPodsGiveNothingUp) {
  cluster().put_pod_group({"default", "a", 4, 0, 0});
  schedule({member("a1", "a"), member("a2", "a"), member("a3", "a"), member("a4", "a")});
  EXPECT_EQ(core->scheduler().bindings().permits().size(), 3u);
  EXPECT_THAT(bindings.all, IsEmpty());
}

}  // namespace
}  // namespace berth::tests
