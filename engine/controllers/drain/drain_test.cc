#include "engine/controllers/drain/drain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace berth::controllers {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Outcome = Drain::Outcome;

DrainPod owned(const std::string& name, const std::string& kind = "ReplicaSet") {
  return {.namespace_name = "default",
          .name = name,
          .owner_api_version = "apps/v1",
          .owner_kind = kind};
}

class DrainedCluster final : public DrainCluster {
 public:
  ApiStatus evict(const DrainPod& pod, std::optional<int64_t> grace_seconds) override {
    asked.push_back(pod.name + (grace_seconds ? " " + std::to_string(*grace_seconds) : ""));
    const auto answer = answers.find(pod.name);
    return answer == answers.end() ? ApiStatus{.code = 201} : answer->second;
  }
  void remove(const DrainPod& pod, std::optional<int64_t>) override {
    asked.push_back("delete " + pod.name);
  }
  void say(const std::string&, const std::string& line) override { said.push_back(line); }

  std::map<std::string, ApiStatus> answers;
  std::vector<std::string> asked, said;
};

class DrainTest : public testing::Test {
 protected:
  Drain& begin(std::vector<DrainPod> pods, const std::string& options = "") {
    drain_.emplace("n1", parse_drain_options(options), std::move(pods), cluster);
    drain_->begin(10s);
    return *drain_;
  }
  DrainedCluster cluster;

 private:
  std::optional<Drain> drain_;
};

TEST_F(DrainTest, WaitsUntilThePodsAreGone) {
  Drain& drain = begin({owned("a"), owned("b")}, "--grace-period=7");
  EXPECT_THAT(cluster.asked, ElementsAre("a 7", "b 7"));
  EXPECT_FALSE(drain.over());
  EXPECT_EQ(drain.next(), std::nullopt);
  drain.pod_gone(17s, "default", "a");
  drain.pod_gone(17s, "other", "b");
  EXPECT_FALSE(drain.over());
  drain.pod_gone(18s, "default", "b");
  EXPECT_EQ(drain.outcome(), Outcome::kDrained);
  EXPECT_EQ(drain.ended(), 18s);
  EXPECT_THAT(cluster.said, ElementsAre("evicting pod default/a", "evicting pod default/b",
                                        "pod/a evicted", "pod/b evicted", "node/n1 drained"));
}

TEST_F(DrainTest, OfANodeWithoutPodsIsDoneAtOnce) {
  EXPECT_EQ(begin({}).outcome(), Outcome::kDrained);
}

TEST_F(DrainTest, AsksAgainEveryFiveSecondsIfABudgetForbids) {
  cluster.answers["a"] = {.code = 429, .message = "No.", .causes = {{"DisruptionBudget", "b"}}};
  Drain& drain = begin({owned("a")});
  EXPECT_EQ(drain.next(), 15s);
  drain.run_due(15s);
  EXPECT_EQ(drain.next(), 20s);
  EXPECT_EQ(drain.pods()[0].tries, 2u);
  EXPECT_EQ(drain.pods()[0].message, "No.");
  EXPECT_THAT(cluster.said, Contains("error when evicting pods/\"a\" -n \"default\" (will retry "
                                     "after 5s): No."));
  cluster.answers.clear();
  drain.run_due(20s);
  EXPECT_EQ(drain.next(), std::nullopt);
  drain.pod_gone(50s, "default", "a");
  EXPECT_EQ(drain.outcome(), Outcome::kDrained);
  EXPECT_EQ(drain.pods()[0].refusal, "b");  // stays
}

TEST_F(DrainTest, FailsForAPodWithTwoBudgetsAndGoesOnWithTheOthers) {
  cluster.answers["a"] = {.code = 500, .message = "Two."};
  cluster.answers["b"] = {.code = 404};
  Drain& drain = begin({owned("a"), owned("b"), owned("c")});
  EXPECT_THAT(cluster.asked, ElementsAre("a", "b", "c"));
  EXPECT_FALSE(drain.over());
  drain.pod_gone(40s, "default", "c");
  EXPECT_EQ(drain.outcome(), Outcome::kFailed);
  EXPECT_EQ(drain.message(), "error when evicting pods/\"a\" -n \"default\": Two.");
  EXPECT_EQ(cluster.said.back(),
            "error: unable to drain node \"n1\" due to error: error when evicting pods/\"a\" -n "
            "\"default\": Two., continuing command...");
}

TEST_F(DrainTest, GivesUpAtItsTimeout) {
  cluster.answers["a"] = {.code = 429, .message = "No."};
  Drain& drain = begin({owned("a"), owned("b")}, "--timeout=7s");
  EXPECT_EQ(drain.next(), 15s);
  drain.run_due(15s);
  EXPECT_EQ(drain.next(), 17s);
  drain.run_due(17s);  // b is given up; a sleeps until its next try
  EXPECT_FALSE(drain.over());
  drain.run_due(20s);
  EXPECT_THAT(cluster.asked, ElementsAre("a", "b", "a"));
  EXPECT_EQ(drain.outcome(), Outcome::kFailed);
  EXPECT_EQ(drain.message(),
            "[error when waiting for pod \"b\" in namespace \"default\" to terminate: context "
            "deadline exceeded, error when evicting pods/\"a\" -n \"default\": global timeout "
            "reached: 7s]");
}

TEST_F(DrainTest, DeletesWhateverBudgetsSayIfItIsTold) {
  Drain& drain = begin({owned("a")}, "--disable-eviction --timeout=1m");
  EXPECT_THAT(cluster.asked, ElementsAre("delete a"));
  EXPECT_EQ(drain.next(), 70s);
  drain.pod_gone(40s, "default", "a");
  EXPECT_EQ(drain.outcome(), Outcome::kDrained);
  EXPECT_EQ(drain.next(), std::nullopt);
}

TEST_F(DrainTest, EvictsNobodyIfAPodMayNotGo) {
  DrainPod alone = owned("alone", ""), other = owned("other", "");
  DrainPod local = owned("local");
  local.empty_dir = true;
  Drain& drain = begin({alone, owned("d", "DaemonSet"), local, other, owned("plain")});
  EXPECT_THAT(cluster.asked, IsEmpty());
  EXPECT_EQ(drain.outcome(), Outcome::kRefused);
  EXPECT_EQ(drain.message(),
            "[cannot delete Pods that declare no controller (use --force to override): "
            "default/alone, default/other, cannot delete DaemonSet-managed Pods (use "
            "--ignore-daemonsets to ignore): default/d, cannot delete Pods with local storage (use "
            "--delete-emptydir-data to override): default/local]");
  EXPECT_EQ(drain.pods()[4].state, Drain::State::kSpared);
}

TEST_F(DrainTest, EvictsWhatTheOptionsAllow) {
  DrainPod local = owned("local"), mirror = owned("mirror", "Node");
  local.empty_dir = true;
  mirror.mirror = true;
  DrainPod custom = owned("custom", "DaemonSet");
  custom.owner_api_version = "example.com/v1";
  Drain& drain = begin({owned("alone", ""), custom, owned("d", "DaemonSet"), local, mirror},
                       "--force --ignore-daemonsets --delete-emptydir-data");
  EXPECT_THAT(cluster.asked, ElementsAre("alone", "custom", "local"));
  EXPECT_EQ(drain.pods()[2].message, "ignoring DaemonSet-managed Pods");
  EXPECT_EQ(drain.pods()[4].state, Drain::State::kLeft);
}

TEST_F(DrainTest, ThatIsStoppedAsksNoMore) {
  cluster.answers["a"] = {.code = 429, .message = "No."};
  Drain& drain = begin({owned("a")});
  drain.stop(12s);
  EXPECT_EQ(drain.outcome(), Outcome::kStopped);
  EXPECT_EQ(drain.next(), std::nullopt);
  drain.run_due(15s);
  drain.pod_gone(15s, "default", "a");
  EXPECT_THAT(cluster.asked, ElementsAre("a"));
  EXPECT_EQ(drain.ended(), 12s);
}

}  // namespace
}  // namespace berth::controllers
