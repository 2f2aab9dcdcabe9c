// Equal pods that follow each other take the nodes that were scored for the first of them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/rules/rules.h"
#include "tests/runtime/testing.h"

namespace berth::tests {
namespace {

using ::testing::ElementsAre;

class BatchesTest : public CoreTest {
 protected:
  static constexpr const char* kWithoutDefaults =
      R"([{"schedulerName":"default-scheduler","pluginConfig":[{"name":"PodTopologySpread",)"
      R"("args":{"defaultingType":"List"}}]}])";

  void start_with(const Rules& of, const std::string& profiles = kWithoutDefaults) {
    rules = of;
    start(profiles);
    for (const char* name : {"a", "b", "c"}) cluster().put_node(node(name, 1));
    schedule({pod("p")});
  }
  // A node that is better than all others comes, and the next pod.
  void go_on_with(const model::Pod& next) {
    model::Node large = node("z");
    large.allocatable[0].second = model::Quantity::from_units(64);
    large.allocatable[1].second = model::Quantity::from_units(int64_t{1} << 37);
    cluster().put_node(large);
    schedule({next});
  }
  const Rules of_1_36{KubeVersion::k1_36};
};

TEST_F(BatchesTest, TheNextBestNodeIsTakenWithoutASearch) {
  start_with(of_1_36);
  go_on_with(pod("q"));
  EXPECT_THAT(results, ElementsAre("p scheduled a", "q scheduled b"));
}

TEST_F(BatchesTest, OnlyWithTheGate) {
  Rules without = of_1_36;
  without.set(Rule::kBatches, false);
  start_with(without);
  go_on_with(pod("q"));
  EXPECT_THAT(results, ElementsAre("p scheduled a", "q scheduled z"));
}

TEST_F(BatchesTest, PodsWithDefaultConstraintsAreInNone) {
  start_with(of_1_36, R"([{"schedulerName":"default-scheduler"}])");
  go_on_with(pod("q"));
  EXPECT_THAT(results, ElementsAre("p scheduled a", "q scheduled z"));
}

TEST_F(BatchesTest, APodThatDiffersIsInNone) {
  start_with(of_1_36);
  model::Pod other = pod("q");
  other.spec.containers[0].image = "other";
  go_on_with(other);
  EXPECT_THAT(results, ElementsAre("p scheduled a", "q scheduled z"));
}

TEST_F(BatchesTest, APodInBetweenEndsIt) {
  start_with(of_1_36);
  model::Pod large = pod("large");  // fits nowhere
  large.spec.containers[0].requests = {{"cpu", model::Quantity::from_units(1000)}};
  schedule({large});
  go_on_with(pod("q"));
  EXPECT_THAT(results, ElementsAre("p scheduled a", "large unschedulable", "q scheduled z"));
}

TEST_F(BatchesTest, ItIsForHalfASecond) {
  for (const int milliseconds : {500, 501}) {
    results.clear();
    start_with(of_1_36);
    core->advance_to(core->now() + std::chrono::milliseconds(milliseconds));
    go_on_with(pod("q"));
    EXPECT_THAT(results, ElementsAre("p scheduled a",
                                     milliseconds == 500 ? "q scheduled b" : "q scheduled z"));
  }
}

TEST_F(BatchesTest, TheLastNodeHasToBeFull) {
  rules = of_1_36;
  start(kWithoutDefaults);
  for (const char* name : {"a", "b"}) cluster().put_node(node(name, 2));
  schedule({pod("p")});
  go_on_with(pod("q"));
  EXPECT_THAT(results, ElementsAre("p scheduled a", "q scheduled z"));
}

}  // namespace
}  // namespace berth::tests
