#include "bench/macro/measure/player.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <algorithm>
#include <functional>
#include <map>

#include "bench/macro/measure/testing.h"
#include "bench/macro/results/measurement_json.h"
#include "engine/base/sanitized.h"

namespace berth::bench {
namespace {

using testing::HasSubstr;

std::string error_of(TestLoad load) {
  try {
    play(std::move(load));
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

// Three nodes of 4 cpus, with 2 pods placed before it is measured, and `pods` measured ones.
TestLoad small(uint32_t pods, const char* cpu = "1") {
  TestLoad load;
  load.nodes(3, "4");
  load.pods(2, "1", false);
  load.pods(pods, cpu, true);
  return load;
}

TEST(Player, CountsWhatIsMeasuredAndNothingElse) {
  const Measurement m = play(small(4));
  EXPECT_EQ(m.nodes, 3u);
  EXPECT_EQ(m.pods_before, 2u);
  EXPECT_EQ(m.pods_total, 4u);
  EXPECT_EQ(m.pods_scheduled, 4u);
  EXPECT_EQ(m.decisions, 4u);
  EXPECT_EQ(m.decisions_of_all, 6u);
  EXPECT_EQ(m.decision.histogram.count(), 4u);
  ASSERT_TRUE(m.queue_to_bound);
  EXPECT_EQ(m.queue_to_bound->histogram.count(), 4u);
  EXPECT_GT(m.elapsed_seconds, 0);
  EXPECT_EQ(m.note, "a load of a test");
}

TEST(Player, SaysWhyPodsWereRefusedOverTime) {
  const Measurement m = play(small(13));  // 12 cpus, 2 in use
  EXPECT_EQ(m.pods_scheduled, 10u);
  EXPECT_EQ(m.pods_unschedulable, 3u);
  ASSERT_EQ(m.series.reasons.size(), 1u);
  EXPECT_EQ(m.series.reasons[0].reason, "Insufficient cpu");
  EXPECT_EQ(m.series.reasons[0].refused.back(), 3u);
  EXPECT_EQ(m.series.refused.back(), 3u);
  EXPECT_EQ(m.series.decisions.back(), 13u);
  EXPECT_EQ(m.series.waiting.back(), 0u);
  EXPECT_EQ(m.series.time_seconds.size(), m.series.reasons[0].refused.size());
}

TEST(Player, DrawsEveryNodeOfTheGrid) {
  const Measurement m = play(small(10));
  ASSERT_FALSE(m.grid.frames.empty());
  EXPECT_EQ(m.grid.frames.back(), (std::vector<uint8_t>{200, 200, 200}));
  ASSERT_EQ(m.grid.groups.size(), 1u);
  EXPECT_EQ(m.grid.groups[0].cells, 3u);
  EXPECT_EQ(m.grid.frames.size(), m.grid.time_seconds.size());
}

TEST(Player, DecidesTheSameEachTimeAndByTheSeed) {
  PlayOptions drawn;  // by 1.34 ties are
  drawn.variant.rules.version = KubeVersion::k1_34;
  PlayOptions seeded = drawn;
  seeded.variant.seed = 7;
  EXPECT_EQ(play(small(8)).decision_hash, play(small(8)).decision_hash);
  EXPECT_NE(play(small(8), drawn).decision_hash, play(small(8), seeded).decision_hash);
}

TEST(Player, KeepsABoundedNumberOfSamples) {
  TestLoad load;
  load.nodes(3, "100000");
  constexpr int kThousands = kSanitized ? 3 : 20;
  for (int i = 0; i < kThousands; ++i) load.pods(1000, "1m", true);
  const Measurement m = play(std::move(load));
  EXPECT_EQ(m.decisions, kThousands * 1000u);
  EXPECT_LE(m.series.time_seconds.size(), 400u);
  EXPECT_GE(m.series.time_seconds.size(), 100u);
  EXPECT_LE(m.grid.frames.size(), 52u);
  EXPECT_TRUE(std::is_sorted(m.series.time_seconds.begin(), m.series.time_seconds.end()));
}

TEST(Player, SpreadsItsSamplesOverManyMeasuredStretches) {
  TestLoad load;
  load.nodes(3, "100000");
  constexpr int kStretches = kSanitized ? 600 : 2000;
  for (int i = 0; i < kStretches; ++i) {
    load.pods(1, "1m", true);
    load.pods(1, "1m", false);
  }
  const Measurement m = play(std::move(load));
  EXPECT_EQ(m.decisions, uint64_t{kStretches});
  const std::vector<uint64_t>& decisions = m.series.decisions;
  ASSERT_GE(decisions.size(), 200u);
  for (size_t i = 0; i < decisions.size(); ++i)
    EXPECT_NEAR(
        static_cast<double>(decisions[i]),
        double{kStretches} * static_cast<double>(i) / static_cast<double>(decisions.size() - 1), 20)
        << i;
}

TEST(Player, CountsGatedPods) {
  TestLoad load;
  load.nodes(1, "4");
  load.gated_pods(3);
  load.pods(1, "1", true);
  const Measurement m = play(std::move(load));
  EXPECT_EQ(m.pods_gated, 3u);
  EXPECT_EQ(m.pods_scheduled, 1u);
  EXPECT_EQ(m.pods_total, 4u);
  EXPECT_EQ(m.series.waiting.back(), 0u);
}

TEST(Player, EvictsPodsOfDrainedNodesAndThoseThatAreManagedComeAgain) {
  TestLoad load;
  load.nodes(2, "4");
  load.pods(4, "1", true);          // nobody's
  load.managed_pods(4, "1", true);  // of a ReplicaSet
  load.drain("node-0");
  const Measurement m = play(std::move(load));
  EXPECT_EQ(m.pods_evicted, 4u);
  // Those that came again were decided as pods of their own.
  EXPECT_GT(m.decisions, 8u);
  EXPECT_LE(m.decisions, 12u);
}

// Two nodes are full; each of the two pods needs the room of three others, which terminate for half
// a minute of virtual time.
TEST(Player, TriesPodsAgainOnceTheirVictimsAreGone) {
  TestLoad load;
  load.nodes(2, "4");
  load.pods(8, "1", false);
  load.urgent_pods(2, "3");
  const Measurement m = play(load);
  EXPECT_EQ(m.preemptions, 2u);
  EXPECT_EQ(m.victims, 6u);
  EXPECT_EQ(m.decisions, 4u);
  EXPECT_EQ(m.pods_total, 2u);
  EXPECT_EQ(m.pods_scheduled, 2u);
  EXPECT_EQ(m.pods_unschedulable, 0u);
  EXPECT_EQ(m.pods_bound, 2u);
  EXPECT_EQ(m.backoffs, 0u) << "the backoff is over by then";
  EXPECT_EQ(m.attempts_of_bound, (std::vector<uint64_t>{0, 2}));
  EXPECT_TRUE(m.attempts_of_waiting.empty());
  EXPECT_GE(m.queue_to_bound_virtual.histogram.minimum(), 30'000'000'000u);
  EXPECT_LT(m.elapsed_seconds, 10);
  EXPECT_EQ(m.series.preemptions.back(), 2u);
  EXPECT_EQ(m.series.victims.back(), 6u);
  EXPECT_EQ(m.series.bound.back(), 2u);
  EXPECT_EQ(std::ranges::max(m.series.unschedulable), 2u);
  EXPECT_EQ(m.series.unschedulable.back(), 0u);
  EXPECT_EQ(m.decision_hash, play(load).decision_hash) << "virtual time is no matter of the clock";
}

TEST(Player, CountsPodsThatStillWaitByTheirAttempts) {
  TestLoad load;
  load.nodes(1, "4");
  load.pods(5, "1", true);
  const Measurement m = play(std::move(load));
  EXPECT_EQ(m.pods_total, 5u);
  EXPECT_EQ(m.attempts_of_bound, (std::vector<uint64_t>{4}));
  EXPECT_EQ(m.attempts_of_waiting, (std::vector<uint64_t>{1}));
  EXPECT_EQ(m.series.unschedulable.back(), 1u);
}

// When the load is over, pods that back off are tried again. That is work like the first attempt.
TEST(Player, TimesAttemptsAfterTheEndOfTheLoad) {
  TestLoad load;
  load.nodes(1, "1");
  load.pods(3, "1", true);
  load.delete_pod("pod-0");
  const Measurement m = play(std::move(load));
  EXPECT_EQ(m.decisions, 5u);
  const std::vector<double>& times = m.series.time_seconds;
  EXPECT_EQ(m.series.decisions.back(), 5u);
  EXPECT_EQ(std::ranges::adjacent_find(times, std::greater_equal{}), times.end())
      << testing::PrintToString(times);
}

// The load plans the end of a pod that is preempted before.
TEST(Player, AVictimsEndMayComeLater) {
  TestLoad load;
  load.nodes(1, "4");
  load.pods(4, "1", false);
  load.urgent_pods(1, "4");
  load.delete_pod("pod-0");
  load.awaits();
  const Measurement m = play(std::move(load));
  EXPECT_EQ(m.victims, 4u);
  EXPECT_EQ(m.pods_bound, 1u);
}

TEST(Player, DeletesPodsThatWereNeverPlaced) {
  TestLoad load;
  load.nodes(1, "1");
  load.pods(2, "1", true);
  load.delete_pod("pod-1");  // before the other one leaves room for it
  load.delete_pod("pod-0");
  const Measurement m = play(std::move(load));
  EXPECT_EQ(m.pods_scheduled, 1u);
  EXPECT_EQ(m.quality.utilisation[0].requested, 0);
}

TEST(Player, RefusesALoadThatDoesNotFitTogether) {
  TestLoad twice;
  twice.nodes(1, "4");
  twice.pods(1, "1", true);
  twice.again();
  EXPECT_THAT(error_of(std::move(twice)), HasSubstr("a pod of this name is there already"));
}

TEST(Player, RefusesALoadOfWhichNothingIsMeasured) {
  TestLoad load;
  load.nodes(1, "4");
  load.pods(1, "1", false);
  EXPECT_THAT(error_of(std::move(load)), HasSubstr("nothing of this workload is measured"));
}

TEST(Player, LeavesPodsOfDaemonSetsOnADrainedNode) {
  TestLoad load;
  load.nodes(1, "8");
  load.managed_pods(2, "1", true, "DaemonSet");
  load.managed_pods(3, "1", true);
  load.drain("node-0");
  const Measurement m = play(std::move(load));
  EXPECT_EQ(m.pods_evicted, 3u);
  EXPECT_EQ(m.decisions, 8u);
}

TEST(Player, EndsInAnOrderlyWayWhenItIsTold) {
  uint64_t asked = 0;
  PlayOptions options;
  options.stop = [&asked] { return ++asked > 1000; };
  TestLoad load;
  load.nodes(3, "100000");
  for (int i = 0; i < 5; ++i) load.pods(1000, "1m", true);
  const Measurement m = play(std::move(load), options);
  EXPECT_TRUE(m.interrupted);
  EXPECT_EQ(m.decisions, 999u);  // it is asked before each of two steps, too
  EXPECT_EQ(m.pods_scheduled, m.decisions);
}

TEST(Player, EndsWithNothingMeasuredIfItIsToldWhileItLoads) {
  uint64_t asked = 0;
  PlayOptions options;
  options.stop = [&asked] { return ++asked > 2; };
  TestLoad load = small(4);
  const Measurement m = play(std::move(load), options);
  EXPECT_TRUE(m.interrupted);
  EXPECT_EQ(m.decisions, 0u);
}

TEST(Player, TellsHowFarItIs) {
  std::vector<uint64_t> told;
  PlayOptions options;
  options.progress = [&told](uint64_t decisions) { told.push_back(decisions); };
  TestLoad load;
  load.nodes(3, "100000");
  load.pods(2500, "1m", true);
  play(std::move(load), options);
  EXPECT_EQ(told, (std::vector<uint64_t>{1024, 2048}));
}

TEST(Player, TimesEveryCallIfAsked) {
  PlayOptions options;
  options.every_call_timed = true;
  const Measurement m = play(small(8), options);
  const auto fit = std::find_if(m.hooks.begin(), m.hooks.end(), [](const HookCost& hook) {
    return hook.plugin == "NodeResourcesFit" && hook.extension_point == "Filter";
  });
  ASSERT_NE(fit, m.hooks.end());
  EXPECT_GT(fit->calls, 0u);
  EXPECT_GT(fit->seconds_per_decision, 0);
}

TEST(Player, TracesCyclesCallsAndBindingsUpToABound) {
  Trace trace(6);
  PlayOptions options;
  options.every_call_timed = true;
  options.trace = &trace;
  runtime::Plugins found = plugins();
  Player player(options, config::defaults(), found);
  TestLoad load = small(8);
  const Measurement m = player.play(load);
  EXPECT_GT(m.trace_events_dropped, 2u);  // of 8 cycles two, and calls
  MemorySink sink;
  trace.write(player.hooks(), sink);
  rapidjson::Document document;
  document.Parse(reinterpret_cast<const char*>(sink.bytes().data()), sink.bytes().size());
  ASSERT_FALSE(document.HasParseError());
  uint32_t cycles = 0, calls = 0;
  for (const auto& event : document["traceEvents"].GetArray()) {
    if (std::string_view(event["ph"].GetString()) == "M") continue;
    EXPECT_GE(event["ts"].GetDouble(), 0);
    EXPECT_GE(event["dur"].GetDouble(), 0);
    cycles += std::string_view(event["cat"].GetString()) == "cycle";
    calls += std::string_view(event["cat"].GetString()) == "Filter";
  }
  EXPECT_EQ(cycles, 6u);
  EXPECT_GT(calls, 0u);
  EXPECT_STREQ(document["otherData"]["dropped_events"].GetString(),
               std::to_string(m.trace_events_dropped).c_str());
}

// Each where it was bound, also within a decision whose pod made it full, which it is no part of.
TEST(Player, TracesEachBatchOfBindings) {
  Trace trace(10'000);
  PlayOptions options;
  options.trace = &trace;
  runtime::Plugins found = plugins();
  Player player(options, config::defaults(), found);
  TestLoad load;
  load.nodes(3, "1000");
  load.pods(600, "1m", true);
  const Measurement m = player.play(load);
  MemorySink sink;
  trace.write(player.hooks(), sink);
  rapidjson::Document document;
  document.Parse(reinterpret_cast<const char*>(sink.bytes().data()), sink.bytes().size());
  ASSERT_FALSE(document.HasParseError());
  std::vector<uint64_t> batches;
  double before = 0;
  for (const auto& event : document["traceEvents"].GetArray()) {
    if (!event.HasMember("cat")) continue;
    const std::string_view category = event["cat"].GetString();
    if (category != "cycle" && category != "binding") continue;
    EXPECT_GE(event["ts"].GetDouble(), before);
    before = event["ts"].GetDouble();
    if (category == "binding") batches.push_back(event["args"]["pods"].GetUint64());
  }
  // Bindings leave after 100 ms of virtual time at the latest.
  EXPECT_EQ(batches, (std::vector<uint64_t>{101, 101, 101, 101, 101, 95}));
  EXPECT_EQ(m.queue_to_bound->histogram.count(), 600u);
}

TEST(Quality, FindsTheFreeAmountsThatNoShapeCanUse) {
  TestLoad load;
  load.nodes(2, "4");
  load.pods(1, "3", true);  // leaves 1 and 4 free: the 1 is of no use
  const Measurement m = play(std::move(load));
  ASSERT_FALSE(m.quality.fragmentation.empty());
  const Fragmentation& cpu = m.quality.fragmentation[0];
  EXPECT_EQ(cpu.resource, "cpu");
  EXPECT_EQ(cpu.free, 5000);
  EXPECT_EQ(cpu.unusable, 1000);
  EXPECT_EQ(m.quality.balance[0].maximum, 0.75);
  EXPECT_EQ(m.quality.balance[0].mean, 0.375);
  EXPECT_EQ(m.quality.balance[0].standard_deviation, 0.375);
  EXPECT_EQ(m.quality.spread.back().domains, 2u);
  EXPECT_EQ(m.quality.spread.back().maximum, 1u);
}

TEST(Quality, LooksAtEachResourceThatSomeShapeAsksFor) {
  TestLoad load;
  load.nodes(1, "4", {{"memory", "8Gi"}, {"example.com/gpu", "2"}});
  load.pods(1, "3", true);
  load.pods(1, "1", true, TestLoad::Nanoseconds{0}, {{"example.com/gpu", "1"}});
  const Measurement m = play(std::move(load));
  EXPECT_EQ(m.pods_scheduled, 2u);
  std::map<std::string, std::pair<int64_t, int64_t>> found;  // free, unusable
  for (const Fragmentation& of : m.quality.fragmentation)
    found[of.resource] = {of.free, of.unusable};
  EXPECT_FALSE(found.contains("memory"));
  ASSERT_TRUE(found.contains("cpu") && found.contains("example.com/gpu"));
  EXPECT_EQ(found["cpu"], (std::pair<int64_t, int64_t>{0, 0}));
  // One is left, and no cpu for who would have it.
  EXPECT_EQ(found["example.com/gpu"], (std::pair<int64_t, int64_t>{1, 1}));
  std::map<std::string, double> used;
  for (const Balance& of : m.quality.balance) used[of.resource] = of.mean;
  EXPECT_DOUBLE_EQ(used["cpu"], 1);
  EXPECT_DOUBLE_EQ(used["example.com/gpu"], 0.5);
}

TEST(MeasurementJson, HoldsWhatWasMeasured) {
  rapidjson::Document json;
  const std::string text = to_json(play(small(13)));
  json.Parse(text.c_str());
  ASSERT_FALSE(json.HasParseError());
  EXPECT_EQ(json["pods_scheduled"].GetUint64(), 10u);
  EXPECT_GT(json["decisions_per_second"].GetDouble(), 0);
  EXPECT_EQ(json["pods_bound"].GetUint64(), 10u);
  EXPECT_GT(json["pods_bound_per_second"].GetDouble(), 0);
  EXPECT_EQ(json["attempts"]["bound"][0].GetUint64(), 10u);
  EXPECT_EQ(json["attempts"]["waiting"][0].GetUint64(), 3u);
  const auto& queues = json["series"]["queues"];
  EXPECT_EQ(queues["unschedulable"][queues["unschedulable"].Size() - 1].GetUint64(), 3u);
  EXPECT_GE(json["latency_seconds"]["p99"].GetDouble(), json["latency_seconds"]["p50"].GetDouble());
  // The first two pods of the template are not measured.
  EXPECT_FALSE(json.HasMember("latency_first_seconds"));
  EXPECT_EQ(json["latency_steady_seconds"]["count"].GetUint64(), 13u);
  EXPECT_EQ(json["rankings"].GetUint64(), 1u);
  EXPECT_GT(json["ranking_bytes"].GetUint64(), 0u);
  EXPECT_DOUBLE_EQ(json["seconds_per_decision"].GetDouble(),
                   json["elapsed_seconds"].GetDouble() / 13);
  EXPECT_NE(json.HasMember("instructions_per_decision"),
            json.HasMember("instructions_not_counted"));
  uint64_t counted = 0;
  for (const auto& count : json["histograms"]["decision"]["counts"].GetArray())
    counted += count.GetUint64();
  EXPECT_EQ(counted, 13u);
  EXPECT_EQ(std::string(json["grid"]["frames"][json["grid"]["frames"].Size() - 1].GetString()),
            "yMjI");  // three times 200
}

TEST(Measurement, KeepsTheFirstDecisionsOfATemplateApart) {
  TestLoad load;
  load.nodes(3, "64");
  load.pods(10, "1", true);
  load.pods(5, "2", true);
  load.pods(1, "3", true);
  const Measurement m = play(std::move(load));
  EXPECT_EQ(m.first_decision.histogram.count(), 5u);
  EXPECT_EQ(m.steady_decision.histogram.count(), 11u);
}

// Most of the time of a verified decision is the reference evaluation's.
TEST(Measurement, KeepsVerifiedDecisionsApart) {
  PlayOptions options;
  options.variant.verify_every = 1;
  const Measurement m = play(small(13), options);
  EXPECT_EQ(m.decisions_verified, 15u);
  EXPECT_EQ(m.decision.histogram.count(), 13u);
  EXPECT_EQ(m.first_decision.histogram.count() + m.steady_decision.histogram.count(), 0u);
}

TEST(MeasurementJson, LeavesWhatIsBesideADecisionOutOfIt) {
  Measurement m;
  m.decision = Times{{}, 1e-9};
  m.decision.histogram.record(10'000);
  for (const char* point : {"PreEnqueue", "QueueSort", "Filter", "PreBind", "Bind", "PostBind"})
    m.hooks.push_back({"Some", point, 1, 0, 3e-6, 3e-6});
  rapidjson::Document json;
  json.Parse(to_json(m).c_str());
  ASSERT_FALSE(json.HasParseError());
  const auto& points = json["extension_points"];
  const auto& engine = points[points.Size() - 1];
  EXPECT_STREQ(engine["extension_point"].GetString(), "(engine)");
  EXPECT_NEAR(engine["seconds_per_decision"].GetDouble(), 7e-6, 1e-12);
}

}  // namespace
}  // namespace berth::bench
