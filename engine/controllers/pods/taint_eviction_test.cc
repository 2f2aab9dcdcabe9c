#include "engine/controllers/pods/taint_eviction.h"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <map>
#include <utility>

namespace berth::controllers {
namespace {

using namespace std::chrono_literals;

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

// A cluster of one node, "n". It writes down what happens.
class TaintedCluster final : public TaintEvictionCluster {
 public:
  std::vector<TaintedPod> pods_on(const std::string& /*node*/) const override {
    std::vector<TaintedPod> some;
    for (const auto& [name, tolerations] : pods) some.push_back({name, tolerations});
    return some;
  }
  void evict(Time /*now*/, const std::string& pod, const model::Taint& by) override {
    told += "evict " + pod + ";";
    taint = by.key;
  }
  void cancelled(Time /*now*/, const std::string& pod) override { told += "cancel " + pod + ";"; }

  std::string take() { return std::exchange(told, {}); }

  std::map<std::string, std::vector<model::Toleration>> pods;
  std::string told;
  std::string taint;  // of the last eviction
};

model::Taint no_execute(const std::string& key) { return {key, "", "NoExecute"}; }

model::Toleration exists(const std::string& key, std::optional<int64_t> seconds = std::nullopt) {
  return {key, "Exists", "", "NoExecute", seconds};
}

class TaintEvictionRules : public testing::Test {
 protected:
  void taint(Time now, const std::vector<std::string>& keys) {
    std::vector<model::Taint> taints;
    for (const std::string& key : keys) taints.push_back(no_execute(key));
    controller.node_changed(now, "n", taints);
  }
  TaintedCluster cluster;
  TaintEviction controller{cluster};
};

TEST_F(TaintEvictionRules, TheFirstTolerationThatMatchesCountsAndNotTheShortest) {
  cluster.pods["a"] = {exists("k", 60), exists("k", 5), exists("", 1)};
  taint(0s, {"k"});
  EXPECT_EQ(controller.next(), 60s);
  controller.run_due(60s);
  EXPECT_EQ(cluster.take(), "evict a;");
  EXPECT_EQ(controller.next(), std::nullopt);
}

TEST_F(TaintEvictionRules, TheTaintThatEvictsIsTold) {
  cluster.pods["a"] = {exists("k", 60), exists("l", 5), exists("m")};
  taint(0s, {"k", "l", "m"});
  controller.run_due(5s);
  EXPECT_EQ(cluster.taint, "l");
  cluster.pods["a"] = {exists("k")};
  taint(6s, {"k", "m", "l"});
  EXPECT_EQ(cluster.taint, "m");
}

TEST_F(TaintEvictionRules, TheShortestOfAllTaintsCounts) {
  cluster.pods["a"] = {exists("k", 60), exists("l", 20), exists("m")};
  taint(0s, {"k", "l", "m"});
  EXPECT_EQ(controller.next(), 20s);
}

TEST_F(TaintEvictionRules, NoTimeIsAtOnceAndAVeryLongOneForEver) {
  cluster.pods["a"] = {exists("k", 0)};
  cluster.pods["b"] = {exists("k", -3)};
  cluster.pods["c"] = {exists("k", kMost)};
  cluster.pods["d"] = {exists("k", kMost / 1'000'000'000 + 1)};
  taint(1s, {"k"});
  EXPECT_EQ(cluster.take(), "evict a;evict b;");
  EXPECT_EQ(controller.next(), std::nullopt);
}

TEST_F(TaintEvictionRules, ARunningTimerKeepsItsEndEvenIfNoTimeIsLeft) {
  cluster.pods["a"] = {exists("k", 100), exists("l", 0)};
  taint(0s, {"k"});
  taint(10s, {"k", "l"});
  EXPECT_EQ(cluster.take(), "");
  EXPECT_EQ(controller.next(), 100s);
  controller.pod_changed(20s, {"a", {exists("", 200)}}, "n");
  EXPECT_EQ(controller.next(), 100s);
}

TEST_F(TaintEvictionRules, NotReadyAndUnreachableChangePlacesUnderOneTimer) {
  cluster.pods["a"] = {exists("not-ready", 300), exists("unreachable", 300)};
  taint(0s, {"not-ready"});
  taint(200s, {"unreachable"});
  EXPECT_EQ(controller.next(), 300s);
}

TEST_F(TaintEvictionRules, ForEverGivesUpAndAnUntoleratedTaintEvictsWithoutACancellation) {
  cluster.pods["a"] = {exists("k", 100), exists("l")};
  taint(0s, {"k"});
  taint(10s, {"l"});
  EXPECT_EQ(cluster.take(), "cancel a;");
  taint(20s, {"k"});
  EXPECT_EQ(controller.next(), 120s);
  taint(30s, {"k", "m"});
  EXPECT_EQ(cluster.take(), "evict a;");
  EXPECT_EQ(controller.next(), std::nullopt);
}

TEST_F(TaintEvictionRules, ANewNodeWithoutTaintsGivesUpTimersThatTheOldOneLeft) {
  cluster.pods["a"] = {exists("k", 100)};
  taint(0s, {"k"});
  controller.node_gone("n");
  EXPECT_EQ(cluster.take(), "");
  EXPECT_EQ(controller.next(), 100s);
  taint(50s, {});
  EXPECT_EQ(cluster.take(), "cancel a;");
}

TEST_F(TaintEvictionRules, APodOnANodeThatIsGoneKeepsItsTimerWhateverItTolerates) {
  cluster.pods["a"] = {exists("k", 100)};
  taint(0s, {"k"});
  controller.node_gone("n");
  controller.pod_changed(5s, {"a", {exists("k")}}, "n");
  EXPECT_EQ(controller.next(), 100s);
}

TEST_F(TaintEvictionRules, APodThatIsStillThereIsEvictedAgainWhenTaintsChange) {
  cluster.pods["a"] = {};
  taint(0s, {"k"});
  taint(1s, {"k"});
  EXPECT_EQ(cluster.take(), "evict a;");
  controller.node_changed(2s, "n", {no_execute("k"), {"s", "", "NoSchedule"}});
  EXPECT_EQ(cluster.take(), "");
  taint(3s, {"l", "k"});
  taint(4s, {"k", "l"});
  EXPECT_EQ(cluster.take(), "evict a;evict a;");
}

TEST_F(TaintEvictionRules, TheTimeOfAPodThatComesLaterStartsWithIt) {
  taint(0s, {"k"});
  controller.pod_changed(50s, {"a", {exists("k", 40)}}, "n");
  EXPECT_EQ(controller.next(), 90s);
  controller.pod_changed(60s, {"b", {}}, "n");
  controller.pod_changed(60s, {"c", {}}, "another");
  EXPECT_EQ(cluster.take(), "evict b;");
  controller.pod_gone(70s, "a");
  EXPECT_EQ(cluster.take(), "cancel a;");
}

TEST_F(TaintEvictionRules, EffectsAndValuesMustMatch) {
  cluster.pods["a"] = {{"k", "Exists", "", "NoSchedule", 5}, {"k", "Equal", "", "", 7}};
  cluster.pods["b"] = {{"k", "", "v", "", 7}};
  cluster.pods["c"] = {{"k", "Gt", "", "", 7}};
  taint(0s, {"k"});
  EXPECT_EQ(cluster.take(), "evict b;evict c;");
  EXPECT_EQ(controller.next(), 7s);
}

}  // namespace
}  // namespace berth::controllers
