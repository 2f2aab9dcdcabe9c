#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/macro/measure/read_load.h"
#include "bench/macro/measure/testing.h"
#include "bench/macro/results/measurement_json.h"
#include "loadgen/workload/workload.h"

namespace berth::bench {
namespace {

using loadgen::LoadStep;
using played::ControllerList;

loadgen::Workload preset(const std::string& name) {
  Diagnostics diagnostics;
  return loadgen::find_workloads(name, diagnostics).at(0);
}

// Nodes of which one fails every ten minutes, in three hours.
const loadgen::LoadSettings kOutage = {.seed = 1,
                                       .parameters = {{"nodes", "12"},
                                                      {"services", "3"},
                                                      {"replicas", "20"},
                                                      {"pods", "10"},
                                                      {"duration", "3h"}}};

Measurement play_outage(const ControllerList& list) {
  const loadgen::Workload workload = preset("outage");
  PlayOptions options;
  options.for_controllers = workload.for_controllers;
  options.variant.controllers.list = list;
  runtime::Plugins found = plugins();
  Player player(options, config::defaults(), found);
  ReadLoad load(workload.open(kOutage), list.read_workloads());
  return player.play(load);
}

TEST(Controllers, AreNamedByTheWorkloadsThatAreForThem) {
  for (const char* name : {"outage", "rolling-drain", "pressure"})
    EXPECT_TRUE(preset(name).for_controllers) << name;
  for (const char* name : {"mixed", "churn", "daily", "services", "preemption"})
    EXPECT_FALSE(preset(name).for_controllers) << name;
}

TEST(Controllers, MovePodsOfNodesThatFail) {
  const Measurement m = play_outage(ControllerList::all());
  EXPECT_GT(m.pods_disrupted, 20u);
  ASSERT_TRUE(m.recovery);
  EXPECT_GT(m.recovery->first_seconds, 300);  // pods tolerate it for that long
  EXPECT_GE(m.recovery->last_seconds, m.recovery->first_seconds);
  ASSERT_FALSE(m.queues.empty());
  EXPECT_EQ(m.queues.front().evicted, 0u);
  EXPECT_EQ(m.queues.back().evicted, m.pods_disrupted);
  EXPECT_TRUE(std::ranges::is_sorted(m.queues, {}, &output::QueueSizes::evicted));
  // The pods of Deployments come again, and are decided.
  EXPECT_GT(m.decisions_of_all, 70u);
  EXPECT_GT(m.pods_total, 10u);
  EXPECT_EQ(m.decision_hash, play_outage(ControllerList::all()).decision_hash);
}

TEST(Controllers, ThatAreNotPlayedEvictNothing) {
  const Measurement m = play_outage(ControllerList::none());
  EXPECT_EQ(m.pods_disrupted, 0u);
  EXPECT_FALSE(m.recovery);
  EXPECT_EQ(m.decisions_of_all, 70u);
}

TEST(Controllers, AreInTheResultsWhereTheyEvict) {
  rapidjson::Document json;
  json.Parse(to_json(play_outage(ControllerList::all())).c_str());
  ASSERT_FALSE(json.HasParseError());
  EXPECT_GT(json["pods_disrupted"].GetUint64(), 20u);
  EXPECT_GT(json["evictions"]["first_seconds"].GetDouble(), 300);
  const auto& over_time = json["evictions_over_time"];
  EXPECT_EQ(over_time["seconds"].Size(), over_time["evicted"].Size());
  EXPECT_EQ(over_time["seconds"].Size(), over_time["without_node"].Size());
  json.Parse(to_json(play_outage(ControllerList::none())).c_str());
  for (const char* member : {"pods_disrupted", "evictions", "evictions_over_time"})
    EXPECT_FALSE(json.HasMember(member)) << member;
}

TEST(Controllers, WithNothingToDoChangeNothing) {
  TestLoad load;
  load.nodes(2, "4");
  load.pods(8, "1", false);
  load.urgent_pods(2, "3");
  load.managed_pods(4, "1", true);
  load.drain("node-0");
  load.delete_pod("pod-9");
  PlayOptions without;
  without.variant.controllers.list = ControllerList::none();
  const Measurement with_them = play(load), m = play(load, without);
  EXPECT_EQ(with_them.decision_hash, m.decision_hash);
  EXPECT_EQ(with_them.decisions, m.decisions);
  EXPECT_EQ(with_them.pods_bound, m.pods_bound);
  EXPECT_EQ(with_them.victims, m.victims);
  EXPECT_FALSE(with_them.recovery);
}

// Bindings leave after 100 ms: until then a pod that was decided is not bound.
TEST(RunCourse, PodsWithoutANodeAreThoseThatAreNotBound) {
  TestLoad load;
  load.nodes(3, "1000");
  load.gated_pods(7);
  load.pods(600, "1m", true);
  const Measurement m = play(std::move(load));
  ASSERT_GT(m.queues.size(), 50u);
  uint64_t decided_only = 0;
  for (const output::QueueSizes& at : m.queues) {
    if (at.seconds == 0) continue;  // before they come
    const uint64_t left = at.without_node() - 7;
    EXPECT_TRUE(left == 0 || (600 - left) % 101 == 0) << at.seconds << " s: " << left;
    decided_only += at.binding;
  }
  EXPECT_GT(decided_only, 0u);
  EXPECT_EQ(m.queues.back().without_node(), 7u);
}

model::Change added_deployment(std::string json) {
  return model::added(model::ControllerObject{.kind = "Deployment",
                                              .name = "web",
                                              .namespace_name = "default",
                                              .json = std::move(json),
                                              .data = nullptr});
}

constexpr char kManifest[] =
    R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},)"
    R"("spec":{"replicas":3,"selector":{"matchLabels":{"a":"b"}},"template":{)"
    R"("metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}})";

// The steps of a load with a manifest, in short.
std::vector<std::string> steps_of(bool workloads) {
  auto load = std::make_unique<TestLoad>();
  load->nodes(2, "4");
  load->nothing();
  load->event(added_deployment(kManifest));
  load->drain("node-0");
  load->at(std::chrono::seconds(5));
  load->pods(2, "1", true);
  load->at(std::chrono::seconds(9));
  ReadLoad read(std::move(load), workloads);
  std::vector<std::string> steps;
  for (LoadStep step; read.next(step);) {
    std::string text = std::to_string(step.at.count() / 1'000'000'000);
    for (const model::Change& change : step.cluster) text += " " + model::full_name(change.object);
    for (const model::Change& change : step.events)
      text += " " + std::string(kind_of(change.object));
    for (const std::string& node : step.drained) text += " drain " + node;
    if (step.pods.size() != 0) text += " pods " + std::to_string(step.pods.size());
    if (!step.templates.empty()) continue;
    steps.push_back(text + (step.measured ? " measured" : ""));
  }
  return steps;
}

TEST(ReadLoad, MakesPodsOfManifests) {
  EXPECT_THAT(steps_of(false),
              testing::IsSupersetOf({"0 node-0", "0 node-1", "0 pods 3", "5 drain node-0 measured",
                                     "9 pods 2 measured"}));
}

TEST(ReadLoad, KeepsWorkloadsForTheirControllers) {
  EXPECT_THAT(steps_of(true), testing::Contains("0 default/web"));
  EXPECT_THAT(steps_of(false), testing::Not(testing::Contains("0 default/web")));
}

TEST(ReadLoad, AdmitsPods) {
  auto load = std::make_unique<TestLoad>();
  load->nodes(1, "4");
  load->pods(1, "1", true);
  ReadLoad read(std::move(load), false);
  std::vector<std::string> tolerated;
  for (LoadStep step; read.next(step);)
    for (const auto& [id, spec] : step.templates)
      for (const model::Toleration& one : spec->tolerations) tolerated.push_back(one.key);
  EXPECT_THAT(tolerated, testing::IsSupersetOf(
                             {"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"}));
}

TEST(ReadLoad, SaysWhatIsWrong) {
  auto load = std::make_unique<TestLoad>();
  load->event(added_deployment(R"({"apiVersion":"v1","kind":"Pod","metadata":{},"spec":{}})"));
  ReadLoad read(std::move(load), false);
  LoadStep step;
  EXPECT_THROW(while (read.next(step)){}, Error);
}

}  // namespace
}  // namespace berth::bench
