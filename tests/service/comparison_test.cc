#include "engine/service/loop/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

namespace berth::service {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Objects = std::vector<kube::ListedObject>;

struct ComparisonTest : ::testing::Test {
  ComparisonTest() {
    for (const char* name : {"n-0", "n-1"}) {
      model::Node node;
      node.name = name;
      cluster.put_node(node);
    }
    add("web-0", "u0");
    cluster.place(add("web-1", "u1"), "n-1");
  }
  model::PodId add(const std::string& name, const std::string& uid) {
    model::Pod pod;
    pod.namespace_name = "x";
    pod.name = name;
    pod.uid = uid;
    return cluster.add_pod(pod);
  }
  std::optional<Comparison::Result> take(Objects n, Objects p) {
    return comparison.take({.nodes = std::move(n), .pods = std::move(p), .fault = {}}, cluster);
  }

  model::Cluster cluster;
  Comparison comparison;
  const Objects nodes{{"n-1", "a"}, {"n-0", "b"}};
  const Objects pods{{"x/web-1", "u1"}, {"x/web-0", "u0"}};
};

TEST_F(ComparisonTest, OfWhatIsEqualEndsWithTheFirstList) {
  EXPECT_TRUE(comparison.begin());
  EXPECT_FALSE(comparison.begin());
  const auto result = take(nodes, pods);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->nodes.empty() && result->pods.empty());
  EXPECT_EQ(result->cached_nodes, 2u);
  EXPECT_EQ(result->cached_pods, 2u);
  EXPECT_FALSE(comparison.under_way());
  EXPECT_TRUE(comparison.begin());
}

TEST_F(ComparisonTest, TellsWhatDiffersTwice) {
  comparison.begin();
  EXPECT_FALSE(take({{"n-1", "a"}, {"n-2", "c"}}, {{"x/web-0", "u0"}, {"x/web-1", "new"}}));
  EXPECT_TRUE(comparison.under_way());
  const auto result = take({{"n-1", "a"}, {"n-2", "c"}, {"n-3", "d"}},
                           {{"x/web-0", "u0"}, {"x/web-1", "new"}, {"x/web-2", "u2"}});
  ASSERT_TRUE(result);
  EXPECT_THAT(result->nodes.missed, ElementsAre(kube::ListedObject{"n-2", ""}));
  EXPECT_THAT(result->nodes.redundant, ElementsAre(kube::ListedObject{"n-0", ""}));
  EXPECT_THAT(result->pods.missed, ElementsAre(kube::ListedObject{"x/web-1", "new"}));
  EXPECT_THAT(result->pods.redundant, ElementsAre(kube::ListedObject{"x/web-1", "u1"}));
}

// The watch is behind the first list, or ahead of it.
TEST_F(ComparisonTest, TellsNothingOfChangesThatAreOnTheirWay) {
  comparison.begin();
  EXPECT_FALSE(take({{"n-0", "b"}}, {{"x/web-1", "u1"}, {"x/web-2", "u2"}}));
  add("web-2", "u2");
  cluster.remove_pod(cluster.find_pod("x", "web-0"));
  cluster.remove_node("n-1");
  const auto result = take({{"n-0", "b"}}, {{"x/web-1", "u1"}, {"x/web-2", "u2"}});
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->nodes.empty() && result->pods.empty());
}

TEST_F(ComparisonTest, EndsWithoutAList) {
  comparison.begin();
  EXPECT_FALSE(comparison.take({.nodes = {}, .pods = {}, .fault = "403"}, cluster));
  EXPECT_FALSE(comparison.under_way());
  EXPECT_THAT(difference({}, {}).missed, IsEmpty());
}

}  // namespace
}  // namespace berth::service
