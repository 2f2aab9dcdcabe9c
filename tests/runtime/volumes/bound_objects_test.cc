// What a played API server changes of a pod that it binds.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/testing.h"

namespace berth::tests {
namespace {

using ::testing::UnorderedElementsAre;

constexpr char kZone[] = "topology.kubernetes.io/zone";
constexpr char kRegion[] = "topology.kubernetes.io/region";

class BoundObjectsTest : public CoreTest {
 protected:
  void start(KubeVersion version) {
    rules = Rules(version);
    CoreTest::start();
    model::Node node = CoreTest::node("a");
    node.labels = {{"disk", "ssd"}, {kRegion, "r"}, {kZone, "z"}};
    apply(model::added(node));
  }
  std::vector<std::pair<std::string, std::string>> labels(const std::string& pod) {
    std::vector<std::pair<std::string, std::string>> all;
    for (const auto& [key, value] : cluster().templates().labels(cluster().pod(find(pod)).labels))
      all.emplace_back(cluster().text(key), cluster().text(value));
    return all;
  }
  std::string nominated(const std::string& pod) {
    return std::string(cluster().text(core->door().latest(find(pod)).nominated_node));
  }
  void schedule_one() {
    model::Pod one = pod("p");
    one.spec.labels = {{"app", "web"}, {kZone, "mine"}};
    one.nominated_node_name = "elsewhere";
    schedule({one});
    ASSERT_EQ(results.back(), "p scheduled a");
  }
};

TEST_F(BoundObjectsTest, HaveTheTopologyOfTheirNode) {
  start(KubeVersion::k1_36);
  schedule_one();
  EXPECT_THAT(labels("p"), UnorderedElementsAre(std::pair("app", "web"), std::pair(kRegion, "r"),
                                                std::pair(kZone, "z")));
}

TEST_F(BoundObjectsTest, AreNotNominated) {
  start(KubeVersion::k1_36);
  schedule_one();
  EXPECT_EQ(nominated("p"), "");
}

TEST_F(BoundObjectsTest, KeepWhatTheyHadBeforeTheRules) {
  start(KubeVersion::k1_34);
  schedule_one();
  EXPECT_THAT(labels("p"), UnorderedElementsAre(std::pair("app", "web"), std::pair(kZone, "mine")));
  EXPECT_EQ(nominated("p"), "elsewhere");
}

// A selector of a later pod finds the labels.
TEST_F(BoundObjectsTest, AreSelectedByTheTopologyOfTheirNode) {
  start(KubeVersion::k1_36);
  schedule_one();
  model::Pod later = pod("later");
  model::PodAffinityTerm term;
  term.label_selector = model::LabelSelector{{{kZone, "z"}}, {}};
  term.topology_key = kZone;
  later.spec.affinity.pod_anti_affinity = model::PodAffinity{{term}, {}};
  schedule({later});
  EXPECT_EQ(results.back(), "later unschedulable");
}

}  // namespace
}  // namespace berth::tests
