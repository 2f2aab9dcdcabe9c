#include "engine/controllers/kubelet/eviction/eviction_manager.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>

#include "engine/controllers/kubelet/testing.h"

namespace berth::controllers::kubelet {
namespace {

using namespace std::chrono_literals;
using namespace testing;
using Log = std::vector<std::string>;

std::string seconds_text(Time at) { return fmt::format("{}", at / 1s); }

// A node of 10Gi memory, of which the system uses none, and disks of 100Gi.
class PlayedNode : private EvictionActions {
 public:
  explicit PlayedNode(ThresholdSettings thresholds, EvictionSettings settings = {},
                      Filesystems filesystems = Filesystems::kSingle)
      : machine_(filesystems, {10 * kGi, 8 * kGi, {100 * kGi, 1000}, {100 * kGi, 1000}, 1000}),
        manager_(with(std::move(settings), thresholds), machine_, *this) {}

  Machine& machine() { return machine_; }
  const EvictionManager& manager() const { return manager_; }

  PodNumber add(Pod one, std::optional<PodUsage> usage, StopTimes times = {}) {
    return machine_.add(std::move(one), times, std::move(usage));
  }
  void start() { manager_.start(0s); }
  // All that is due until then, which is not due itself.
  void run_before(Time time) {
    while (manager_.next() && *manager_.next() < time) manager_.run_due(*manager_.next());
  }
  void use(PodNumber number, PodUsage usage, Time now) {
    run_before(now);
    machine_.set_usage(number, std::move(usage));
    manager_.figures_changed(now);
  }
  Log take() { return std::exchange(log_, {}); }

 private:
  static EvictionSettings with(EvictionSettings settings, const ThresholdSettings& thresholds) {
    settings.thresholds = parse_thresholds(thresholds);
    return settings;
  }
  void note(Time now, const std::string& what) { log_.push_back(seconds_text(now) + " " + what); }
  void set_pressures(Time now, const std::vector<Pressure>& pressures) override {
    std::string names;
    for (const Pressure one : pressures) names.append(" ").append(name_of(one));
    note(now, "is" + names);
  }
  void warn_of_node(Time now, const std::string& message) override {
    note(now, message.substr(message.rfind(' ') + 1));
  }
  void reclaimed(Time now, Reclaim what) override {
    note(now, what == Reclaim::kUnusedImages ? "images" : "containers");
  }
  void evict(Time now, const Eviction& eviction) override {
    note(now, fmt::format("{} in {}{}", machine_.pod(eviction.pod).name, eviction.grace_seconds,
                          eviction.condition ? "" : " over limit"));
  }

  Log log_;
  Machine machine_;
  EvictionManager manager_;
};

ThresholdSettings memory_below(const std::string& least) {
  return {.hard = {{"memory.available", least}}, .enforce_pods = false};
}

TEST(EvictionManager, EqualityIsNotMet) {
  PlayedNode node(memory_below("1Gi"));
  node.add(pod("a"), memory_use(9 * kGi));
  node.start();
  node.run_before(100s);
  EXPECT_EQ(node.take(), Log{});
}

TEST(EvictionManager, RestsUntilFiguresChange) {
  PlayedNode node(memory_below("1Gi"));
  const PodNumber a = node.add(pod("a"), memory_use(kGi));
  node.start();
  node.run_before(1s);
  EXPECT_FALSE(node.manager().next());
  node.use(a, memory_use(2 * kGi), 33s);
  EXPECT_EQ(node.manager().next(), Time(40s));  // where the rounds would be
  node.use(a, memory_use(2 * kGi), 50s);
  EXPECT_EQ(node.manager().next(), Time(50s));
  node.use(a, memory_use(3 * kGi), 50s + 1ms);
  EXPECT_EQ(node.manager().next(), Time(60s));
}

TEST(EvictionManager, ThirtySecondsFromTheEndOfTheContainers) {
  PlayedNode node(memory_below("1Gi"));
  node.add(pod("a"), memory_use(9 * kGi), {.stop = 20s, .cleanup = 50s});
  node.add(pod("b"), memory_use(10 * kGi), {.stop = 20s, .cleanup = 50s});
  node.add(pod("c"), memory_use(8 * kGi), {.stop = 20s, .cleanup = 3s});
  node.add(pod("d"), memory_use(7 * kGi));
  node.start();
  node.run_before(100s);
  EXPECT_EQ(node.take(), (Log{"0 is MemoryPressure", "0 memory", "0 b in 1", "31 memory",
                              "31 a in 1", "62 memory", "62 c in 1"}));
}

TEST(EvictionManager, GoesOnToTheMinimumReclaim) {
  ThresholdSettings settings = memory_below("1Gi");
  settings.minimum_reclaim = {{"memory.available", "2Gi"}};
  PlayedNode node(settings);
  for (const char* name : {"a", "b", "c", "d"}) node.add(pod(name), memory_use(3 * kGi - 1));
  node.start();
  node.run_before(100s);
  // After a there is enough, but not 3Gi; after b there is.
  EXPECT_EQ(node.take(),
            (Log{"0 is MemoryPressure", "0 memory", "0 a in 1", "1 memory", "1 b in 1"}));
}

TEST(EvictionManager, AGracePeriodBeginsAnewWhenTheThresholdIsMetAgain) {
  PlayedNode node(
      {.soft = {{"memory.available", "1Gi"}}, .soft_grace = {{"memory.available", "25s"}}},
      {.thresholds = {}, .most_grace_seconds = 60});
  const PodNumber a = node.add(pod("a"), memory_use(10 * kGi));
  node.start();
  node.use(a, memory_use(kGi), 15s);
  node.use(a, memory_use(10 * kGi), 25s);
  node.run_before(100s);
  // The grace period is the pod's own where that is shorter.
  EXPECT_EQ(node.take(), (Log{"0 is MemoryPressure", "60 memory", "60 a in 30"}));
}

TEST(EvictionManager, ConditionsStayForTheTransitionPeriod) {
  PlayedNode node(memory_below("1Gi"), {.thresholds = {}, .transition = 20s});
  Pod critical = pod("a");
  critical.is_mirror = true;
  const PodNumber a = node.add(critical, memory_use(10 * kGi));
  node.start();
  node.use(a, memory_use(kGi), 15s);
  node.run_before(100s);
  // No pod can go, which changes nothing but that nothing goes.
  EXPECT_EQ(node.take(), (Log{"0 is MemoryPressure", "0 memory", "10 memory", "30 is"}));
  EXPECT_FALSE(node.manager().next());
}

TEST(EvictionManager, WithoutTransitionPeriodConditionsNeverShow) {
  PlayedNode node(memory_below("1Gi"), {.thresholds = {}, .transition = 0s});
  node.add(pod("a"), memory_use(10 * kGi));
  node.start();
  node.run_before(100s);
  EXPECT_EQ(node.take(), (Log{"0 memory", "0 a in 1"}));
}

TEST(EvictionManager, StaleStatisticsEvictOnce) {
  PlayedNode node(memory_below("1Gi"));
  node.add(pod("a"), memory_use(10 * kGi));
  node.add(pod("b"), memory_use(9 * kGi + 1));
  node.start();
  node.run_before(1s);
  node.machine().freeze(true);
  node.run_before(100s);
  EXPECT_EQ(node.take(), (Log{"0 is MemoryPressure", "0 memory", "0 a in 1"}));
  node.machine().freeze(false);
  node.run_before(102s);
  EXPECT_EQ(node.take(), (Log{"101 memory", "101 b in 1"}));
}

TEST(EvictionManager, MemoryComesFirst) {
  PlayedNode node(
      {.hard = {{"memory.available", "1Gi"}, {"imagefs.available", "10%"}}, .enforce_pods = false});
  PodUsage usage = disk_use(95 * kGi, 0);
  node.add(pod("a"), usage);
  node.add(pod("b"), memory_use(10 * kGi));
  node.start();
  node.run_before(2s);
  EXPECT_EQ(node.take(), (Log{"0 is DiskPressure MemoryPressure", "0 memory", "0 b in 1",
                              "1 ephemeral-storage", "1 containers", "1 images", "1 a in 1"}));
}

TEST(EvictionManager, PodsHaveAMemoryOfTheirOwn) {
  ThresholdSettings settings = memory_below("1Gi");
  settings.enforce_pods = true;
  PlayedNode node(settings);
  node.add(pod("a"), memory_use(7 * kGi + 1));
  node.start();
  node.run_before(10s);
  EXPECT_EQ(node.take(), (Log{"0 is MemoryPressure", "0 memory", "0 a in 1"}));
}

TEST(EvictionManager, WhatCanBeRemovedIsTriedFirst) {
  PlayedNode node({.hard = {{"nodefs.available", "10Gi"}}});
  node.machine().garbage(Reclaim::kUnusedImages) = {20 * kGi, 0};
  node.add(pod("a"), disk_use(75 * kGi, 0));
  node.start();
  node.run_before(10s);
  EXPECT_EQ(node.take(),
            (Log{"0 is DiskPressure", "0 ephemeral-storage", "0 containers", "0 images"}));
}

// Any threshold that is still short of its minimum reclaim lets a pod go.
TEST(EvictionManager, RemovingMustBeEnoughForAllThresholds) {
  PlayedNode node({.hard = {{"memory.available", "1Gi"}, {"nodefs.available", "10Gi"}},
                   .minimum_reclaim = {{"memory.available", "8Gi"}},
                   .enforce_pods = false});
  node.machine().garbage(Reclaim::kUnusedImages) = {20 * kGi, 0};
  PodUsage usage = disk_use(75 * kGi, 0);
  usage.containers[0].memory = 2 * kGi;
  node.add(pod("a"), usage);
  node.start();
  node.run_before(1s);
  EXPECT_EQ(node.take().back(), "0 a in 1");
}

TEST(EvictionManager, WhatIsRemovedDependsOnTheFilesystems) {
  const auto removed = [](Filesystems filesystems, const char* signal) {
    PlayedNode node({.hard = {{signal, "99%"}}}, {}, filesystems);
    node.machine().system() = {0, {50 * kGi, 500}, {50 * kGi, 500}, 0};
    node.start();
    node.run_before(1s);
    Log log = node.take();
    log.erase(log.begin(), log.begin() + 2);
    return log;
  };
  const Log both = {"0 containers", "0 images"};
  EXPECT_EQ(removed(Filesystems::kSingle, "nodefs.inodesFree"), both);
  EXPECT_EQ(removed(Filesystems::kImages, "imagefs.inodesFree"), both);
  EXPECT_EQ(removed(Filesystems::kImages, "nodefs.available"), Log{});
  EXPECT_EQ(removed(Filesystems::kSplit, "nodefs.available"), Log{"0 containers"});
  EXPECT_EQ(removed(Filesystems::kSplit, "imagefs.available"), Log{"0 images"});
}

TEST(EvictionManager, LimitsComeBeforeThresholdsOnePodAfterTheOther) {
  PlayedNode node(memory_below("1Gi"));
  const Texts limits = {{"ephemeral-storage", "1Gi"}};
  PodUsage usage = disk_use(2 * kGi, 0);
  usage.containers[0].memory = 3 * kGi;
  Pod critical = pod("b", {}, limits);
  critical.is_static = true;
  node.add(pod("a", {}, limits), usage, {.stop = 5s});
  node.add(critical, usage);
  node.add(pod("c", {}, limits), usage, {.stop = 0s, .cleanup = 4s});
  node.add(pod("d"), memory_use(kGi));
  node.start();
  node.run_before(100s);
  EXPECT_EQ(node.take(),
            (Log{"0 is MemoryPressure", "0 a in 1 over limit", "1 c in 1 over limit"}));
}

TEST(EvictionManager, APodThatIsGoneMeanwhileIsNotEvicted) {
  PlayedNode node(memory_below("1Gi"));
  const Texts limits = {{"ephemeral-storage", "1Gi"}};
  node.add(pod("a", {}, limits), disk_use(2 * kGi, 0), {.stop = 5s});
  const PodNumber b = node.add(pod("b", {}, limits), disk_use(2 * kGi, 0));
  node.start();
  node.run_before(1s);
  node.machine().remove(b);
  node.run_before(100s);
  EXPECT_EQ(node.take(), Log{"0 a in 1 over limit"});
}

std::optional<std::string> refused_message(const PlayedNode& node, const Pod& one) {
  const std::optional<Refusal> refusal = node.manager().refusal_of(one);
  return refusal ? std::optional(refusal->message) : std::nullopt;
}

TEST(EvictionManager, UnderPressureOfMemorySomePodsStart) {
  PlayedNode node(memory_below("1Gi"));
  node.add(pod("a"), memory_use(10 * kGi));
  node.start();
  EXPECT_FALSE(refused_message(node, pod("b")));
  node.run_before(1s);
  EXPECT_EQ(refused_message(node, pod("b")), "The node had condition: [MemoryPressure]. ");
  EXPECT_FALSE(refused_message(node, pod("b", {{"cpu", "1m"}})));
  Pod tolerant = pod("b");
  tolerant.tolerations = {{"node.kubernetes.io/memory-pressure", "Exists", "", "NoSchedule"}};
  EXPECT_FALSE(refused_message(node, tolerant));
  tolerant.tolerations[0].effect = "NoExecute";
  EXPECT_TRUE(refused_message(node, tolerant));
}

TEST(EvictionManager, UnderOtherPressureOnlyCriticalPodsStart) {
  PlayedNode node({.hard = {{"memory.available", "1Gi"}, {"pid.available", "10%"}}});
  PodUsage usage = memory_use(10 * kGi);
  usage.processes = 901;
  node.add(pod("a"), usage);
  node.start();
  node.run_before(1s);
  Pod tolerant = pod("b", {{"cpu", "1"}});
  tolerant.tolerations = {{"", "Exists", "", ""}};
  EXPECT_EQ(refused_message(node, tolerant),
            "The node had condition: [MemoryPressure PIDPressure]. ");
  tolerant.priority = 2'000'000'000;
  EXPECT_FALSE(refused_message(node, tolerant));
}

}  // namespace
}  // namespace berth::controllers::kubelet
