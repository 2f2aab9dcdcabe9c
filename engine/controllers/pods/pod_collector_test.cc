#include "engine/controllers/pods/pod_collector.h"

#include <gtest/gtest.h>

#include <chrono>
#include <utility>

namespace berth::controllers {
namespace {

using namespace std::chrono_literals;

const model::Taint kOutOfService{"node.kubernetes.io/out-of-service", "", "NoExecute"};

// Pods by name. It writes down what is collected, with the second.
class CollectedCluster final : public PodCollectorCluster {
 public:
  explicit CollectedCluster(size_t most_finished = 0) : collector(*this, most_finished) {
    node("n");
  }

  std::vector<CollectedPod> pods_on(const std::string& name) const override {
    std::vector<CollectedPod> some;
    for (const auto& [key, pod] : pods)
      if (pod.node == name) some.push_back(pod);
    return some;
  }
  void collect(Time now, const CollectedPod& pod, const Condition* condition) override {
    told += pod.name + (condition == nullptr ? "" : "!") + std::to_string(now / Time(1s)) + " ";
    const std::string name = pod.name;
    pods.erase(name);
    collector.pod_gone(name);
  }

  void node(const std::string& name, bool ready = true, std::vector<model::Taint> taints = {}) {
    collector.node_changed(clock, name, ready, taints);
  }
  void put(const CollectedPod& pod) {
    pods[pod.name] = pod;
    collector.pod_changed(clock, pod);
  }
  // Everything that falls due until then, and what was collected.
  std::string run_to(Time time) {
    while (collector.next() && *collector.next() <= time) collector.run_due(*collector.next());
    clock = time;
    return std::exchange(told, {});
  }

  Time clock{};
  std::map<std::string, CollectedPod> pods;
  std::string told;
  PodCollector collector;
};

CollectedPod bound(const std::string& name, const std::string& node = "n") {
  CollectedPod pod;
  pod.name = name;
  pod.node = node;
  return pod;
}

CollectedPod finished(const std::string& name, Time created, bool evicted = false) {
  CollectedPod pod = bound(name);
  pod.created = created;
  pod.finished = true;
  pod.evicted = evicted;
  return pod;
}

CollectedPod terminating(CollectedPod pod) {
  pod.terminating = true;
  return pod;
}

TEST(PodCollector, HasNoRoundsWithoutAReason) {
  CollectedCluster cluster;
  cluster.put(bound("s/a"));
  cluster.put(finished("s/b", 0s));
  EXPECT_EQ(cluster.collector.next(), std::nullopt);
}

TEST(PodCollector, PodsOfANodeThatIsGoneWaitForTwoRounds) {
  CollectedCluster cluster;
  cluster.put(bound("s/a"));
  cluster.put(finished("s/b", 0s));
  cluster.run_to(33s);
  cluster.collector.node_gone(33s, "n");
  EXPECT_EQ(cluster.run_to(79s), "");
  EXPECT_EQ(cluster.run_to(80s), "s/a!80 s/b80 ") << "finished pods get no condition";
  cluster.run_to(200s);
  EXPECT_EQ(cluster.collector.next(), std::nullopt);
}

TEST(PodCollector, ANodeThatComesBackInTimeKeepsItsPods) {
  CollectedCluster cluster;
  cluster.put(bound("s/a"));
  cluster.collector.node_gone(0s, "n");
  cluster.run_to(39s);
  cluster.node("n");
  EXPECT_EQ(cluster.run_to(100s), "");
}

// The name waits, and not the pod.
TEST(PodCollector, ALaterPodSharesTheQuarantineOfTheNode) {
  CollectedCluster cluster;
  cluster.put(bound("s/a", "gone"));
  cluster.run_to(30s);
  cluster.put(bound("s/b", "gone"));
  EXPECT_EQ(cluster.run_to(40s), "s/a!40 s/b!40 ");
  cluster.run_to(50s);
  cluster.put(bound("s/c", "gone"));
  EXPECT_EQ(cluster.run_to(80s), "s/c!80 ") << "it waits since the round that removed the others";
}

TEST(PodCollector, TerminatingPodsGoAtOnceFromNodesOutOfService) {
  CollectedCluster cluster;
  cluster.node("ready", true, {kOutOfService});
  cluster.node("untainted", false);
  cluster.node("out", false, {kOutOfService});
  for (const char* name : {"ready", "untainted", "out"}) {
    cluster.put(terminating(bound(std::string("s/") + name, name)));
    cluster.put(bound(std::string("s/running-on-") + name, name));
  }
  EXPECT_EQ(cluster.run_to(100s), "s/out0 ");
  cluster.node("ready", false, {kOutOfService});
  EXPECT_EQ(cluster.run_to(120s), "s/ready120 ");
}

TEST(PodCollector, TerminatingPodsWithoutANodeGoAtOnce) {
  CollectedCluster cluster;
  cluster.put(bound("s/a", ""));
  cluster.put(terminating(bound("s/b", "")));
  EXPECT_EQ(cluster.run_to(60s), "s/b0 ");
}

TEST(PodCollector, FinishedPodsAboveTheNumberGoEvictedOnesFirstThenByAgeAndName) {
  CollectedCluster cluster(2);
  cluster.put(finished("a/z", 5s));
  cluster.put(finished("b/y", 5s));
  cluster.put(finished("c/old", 1s));
  cluster.put(finished("d/evicted", 9s, true));
  EXPECT_EQ(cluster.run_to(10s), "d/evicted0 c/old0 ");
  cluster.put(finished("e/young", 9s));
  EXPECT_EQ(cluster.run_to(20s), "b/y20 ");
  EXPECT_EQ(cluster.collector.next(), std::nullopt);
}

TEST(PodCollector, APodIsCollectedOnceInARound) {
  CollectedCluster cluster(1);
  CollectedPod pod = terminating(finished("s/a", 0s));
  pod.node = "";
  cluster.put(pod);
  cluster.put(finished("s/b", 1s));
  EXPECT_EQ(cluster.run_to(60s), "s/a0 ");
}

TEST(PodCollector, APodThatIsNoLongerFinishedDoesNotCount) {
  CollectedCluster cluster(1);
  cluster.put(finished("s/a", 0s));
  cluster.put(bound("s/a"));
  cluster.put(finished("s/b", 1s));
  EXPECT_EQ(cluster.run_to(60s), "");
}

TEST(PodCollector, IsFinishedWhenRoundsRemoveNothing) {
  CollectedCluster all;
  CollectedPod pod = bound("a/p");
  pod.terminating = true;
  all.put(pod);
  EXPECT_TRUE(all.collector.next());
  EXPECT_FALSE(all.collector.unfinished()) << "its node serves";
  all.node("n", false, {kOutOfService});
  EXPECT_TRUE(all.collector.unfinished());
  all.run_to(40s);
  EXPECT_FALSE(all.collector.unfinished());
  all.put(bound("a/q"));
  all.collector.node_gone(all.clock, "n");
  EXPECT_TRUE(all.collector.unfinished());
}

}  // namespace
}  // namespace berth::controllers
