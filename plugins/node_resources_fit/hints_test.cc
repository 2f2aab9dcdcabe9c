#include <optional>

#include <gtest/gtest.h>

#include "plugins/testing/harness.h"

namespace berth::plugins::testing {
namespace {

using Ints = std::vector<int64_t>;
using Requests = std::vector<std::pair<std::string, int64_t>>;

struct TestNode {
  int64_t pods = 110, cpu = 4000, gpu = 0;
};

class FitHintsTest : public ::testing::Test {
 protected:
  void list(Columns& pod, const std::string& id, const Requests& requests) {
    std::vector<uint32_t> names;
    Ints amounts;
    for (const auto& [name, amount] : requests) {
      names.push_back(host_.id(name));
      amounts.push_back(amount);
    }
    pod.insert_or_assign("pod." + id + "_names", std::vector<std::vector<uint32_t>>{names});
    pod.insert_or_assign("pod." + id + "s", std::vector<Ints>{amounts});
  }
  Columns pod(const Requests& requests) {
    Columns made;
    list(made, "request", requests);
    list(made, "running_request", requests);
    return made;
  }
  static Columns node(const TestNode& of) {
    return {{"node.allocatable:pods", Ints{of.pods}},
            {"node.allocatable:cpu", Ints{of.cpu}},
            {"node.allocatable:memory", Ints{1000}},
            {"node.allocatable:example.com/gpu", Ints{of.gpu}}};
  }
  bool hint(const Requests& requests, std::optional<TestNode> before, const TestNode& after) {
    HintEvent event;
    event.kind = BERTH_ON_NODE;
    event.action = before ? BERTH_DID_UPDATE_ALLOCATABLE : BERTH_DID_ADD;
    if (before) event.before = node(*before);
    event.after = node(after);
    return plugin_.hint(pod(requests), event);
  }
  // Of a pod with a node that requests other amounts now.
  HintEvent scaled(const Requests& before, const Requests& after) {
    HintEvent event;
    event.kind = BERTH_ON_POD_ASSIGNED;
    event.action = BERTH_DID_UPDATE_SCALE_DOWN;
    event.before = pod(before);
    event.after = pod(after);
    event.node = 1;
    return event;
  }

  FakeHost host_;
  Harness plugin_{host_, R"({"ignoredResources": ["example.com/gpu"]})"};
};

TEST_F(FitHintsTest, Actions) {
  EXPECT_EQ(plugin_.actions(BERTH_ON_NODE), BERTH_DID_ADD | BERTH_DID_UPDATE_ALLOCATABLE);
  EXPECT_EQ(plugin_.actions(BERTH_ON_POD_ASSIGNED), BERTH_DID_DELETE | BERTH_DID_UPDATE_SCALE_DOWN);
}

TEST_F(FitHintsTest, ANewNodeHoldsThePodAlone) {
  EXPECT_TRUE(hint({{"cpu", 4000}}, std::nullopt, {}));
  EXPECT_FALSE(hint({{"cpu", 4001}}, std::nullopt, {}));
  EXPECT_FALSE(hint({{"cpu", 1}}, std::nullopt, {.pods = 0}));
  EXPECT_TRUE(hint({}, std::nullopt, {.pods = 1}));
  EXPECT_TRUE(hint({{"cpu", 0}, {"example.com/gpu", 0}}, std::nullopt, {.cpu = 0}));
}

// kube-scheduler's hints do not read the arguments.
TEST_F(FitHintsTest, AnIgnoredResourceCounts) {
  EXPECT_FALSE(hint({{"example.com/gpu", 1}}, std::nullopt, {}));
  EXPECT_TRUE(hint({{"example.com/gpu", 1}}, std::nullopt, {.gpu = 1}));
}

TEST_F(FitHintsTest, ANodeGetsMoreOfARequestedResource) {
  const TestNode small{.cpu = 1000}, more_gpu{.cpu = 1000, .gpu = 1};
  EXPECT_TRUE(hint({{"cpu", 1500}}, small, {.cpu = 2000}));
  EXPECT_FALSE(hint({{"cpu", 2500}}, small, {.cpu = 2000}));
  EXPECT_FALSE(hint({{"cpu", 500}}, small, {.cpu = 900}));
  EXPECT_FALSE(hint({{"cpu", 500}}, small, more_gpu));
  EXPECT_TRUE(hint({{"cpu", 500}, {"example.com/gpu", 1}}, small, more_gpu));
  EXPECT_FALSE(hint({}, small, {.cpu = 2000}));
  // More pods than before help every pod that fits.
  EXPECT_TRUE(hint({}, TestNode{.pods = 1}, {.pods = 2}));
  EXPECT_FALSE(hint({}, TestNode{.pods = 2}, {.pods = 1}));
}

TEST_F(FitHintsTest, APodGoesThatHadANodeOrWasNominated) {
  HintEvent event;
  event.kind = BERTH_ON_POD_ASSIGNED;
  event.action = BERTH_DID_DELETE;
  event.before = pod({{"memory", 1}});
  EXPECT_FALSE(plugin_.hint(pod({{"cpu", 1}}), event));
  event.node = 1;
  EXPECT_TRUE(plugin_.hint(pod({{"cpu", 1}}), event));
  event.node = 0;
  event.nominated_node = 1;
  EXPECT_TRUE(plugin_.hint(pod({{"cpu", 1}}), event));
}

TEST_F(FitHintsTest, APodFreesARequestedResource) {
  const Columns refused = pod({{"cpu", 1}, {"memory", 0}, {"example.com/gpu", 1}});
  EXPECT_TRUE(plugin_.hint(refused, scaled({{"cpu", 200}}, {{"cpu", 100}})));
  EXPECT_TRUE(plugin_.hint(refused, scaled({{"cpu", 200}}, {})));
  EXPECT_TRUE(plugin_.hint(refused, scaled({{"example.com/gpu", 2}}, {{"example.com/gpu", 1}})));
  EXPECT_FALSE(plugin_.hint(refused, scaled({{"cpu", 100}}, {{"cpu", 200}})));
  EXPECT_FALSE(plugin_.hint(refused, scaled({{"memory", 200}}, {{"memory", 100}})));
  EXPECT_FALSE(
      plugin_.hint(refused, scaled({{"ephemeral-storage", 2}}, {{"ephemeral-storage", 1}})));
}

TEST_F(FitHintsTest, APodWithoutANodeFreesNothingButForItself) {
  const Columns refused = pod({{"cpu", 100}});
  HintEvent event = scaled({{"cpu", 200}}, {{"cpu", 100}});
  event.kind = BERTH_ON_POD_PENDING;
  event.node = 0;
  EXPECT_FALSE(plugin_.hint(refused, event));
  event.self = true;
  EXPECT_TRUE(plugin_.hint(refused, event));
}

}  // namespace
}  // namespace berth::plugins::testing
