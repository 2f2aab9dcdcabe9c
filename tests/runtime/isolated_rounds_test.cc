// Decisions with plugins in processes of their own: how many messages they take, and what a plugin
// costs that fails in one of the calls that are asked together.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/isolation/parent/isolation.h"
#include "engine/runtime/testing/model_access.h"
#include "tests/runtime/folder.h"

namespace berth::tests {
namespace {

using framework::Evaluation;
using isolation::OnFailure;
using testing::HasSubstr;

// Priorities of pods, which the plugin Fragile reads (plugins/fragile.c).
constexpr int32_t kFilterCrashes = 1, kScoreCrashes = 2, kFilterHangs = 3, kScoreHangs = 4;

// The shipped plugins and Fragile; the `isolated` ones in processes of their own.
runtime::Plugins plugins(std::vector<std::string> isolated, OnFailure on_failure) {
  static PluginFolder* const folder = [] {
    auto* made = new PluginFolder;
    made->add_shipped_but("");
    made->add_of_tests("cycle_fragile", "fragile.so");
    made->add_of_tests("domain_limit_filter", "domain_limit.so");
    return made;
  }();
  const std::array<std::filesystem::path, 1> folders{folder->path()};
  return runtime::Plugins(
      host::discover(folders), [=](const std::string& name, host::SealedFile file) {
        if (std::ranges::find(isolated, name) == isolated.end())
          return host::Library::load(std::move(file));
        return isolation::load_isolated(std::move(file),
                                        {.program = BERTH_BUILD_DIR "/lib/berth/berth-plugin-host",
                                         .on_failure = on_failure,
                                         .deadline = std::chrono::milliseconds(300),
                                         .starts_at_once = true});
      });
}

// Four nodes, and pods that arrive one after the other.
class Scheduling {
 public:
  explicit Scheduling(Evaluation evaluation, std::vector<std::string> isolated,
                      OnFailure on_failure = OnFailure::kPod,
                      const std::string& plugin_config = "[]")
      : plugins_(plugins(std::move(isolated), on_failure)) {
    runtime::CoreOptions options;
    options.scheduler.evaluation = evaluation;
    options.scheduler.decide.tie_break = framework::TieBreak::kName;
    options.audits = runtime::AuditPace::kNever;
    core_ = std::make_unique<runtime::Core>(
        config::parse(
            R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",)"
            R"("profiles":[{"plugins":{"multiPoint":{"enabled":[{"name":")" +
                std::string(plugin_config == "[]" ? "Fragile" : "DomainLimit") +
                R"("}]}},"pluginConfig":)" + plugin_config + "}]}",
            "config"),
        plugins_, options, [this](const runtime::Report& report) { note(report); });
    for (const char* name : {"a", "b", "c", "d"}) {
      model::Node node;
      node.name = name;
      node.labels = {{"kubernetes.io/hostname", name}};
      node.allocatable = {{"cpu", model::Quantity::from_units(8)},
                          {"memory", model::Quantity::from_units(int64_t{1} << 34)},
                          {"pods", model::Quantity::from_units(110)}};
      runtime::ModelAccess::of(*core_).put_node(node);
    }
  }

  // Returns what became of the pod.
  std::string schedule(int32_t priority) {
    model::Pod pod;
    pod.namespace_name = "default";
    pod.name = "pod-" + std::to_string(++pods_);
    pod.spec.containers.resize(1);
    pod.spec.containers[0].requests = {{"cpu", model::Quantity::from_milli(100)}};
    pod.spec.priority = priority;
    outcome_.clear();
    const std::array<model::PodId, 1> ids{core_->door().add(pod)};
    core_->door().arrive(ids);
    core_->step();
    return outcome_;
  }

 private:
  void note(const runtime::Report& report) {
    using namespace runtime;
    std::visit(
        Match{[&](const Scheduled& to) { outcome_ = "on " + std::string(to.node); },
              [&](const Refused& by) { outcome_ = by.decision->message; },
              [&](const Failed& by) { outcome_ = by.decision->message; }, [](const auto&) {}},
        report);
  }

  runtime::Plugins plugins_;
  std::string outcome_;
  int pods_ = 0;
  std::unique_ptr<runtime::Core> core_;
};

// The outcomes of pods of one priority.
std::vector<std::string> outcomes(Scheduling& scheduling, int32_t priority, int pods) {
  std::vector<std::string> all;
  for (int i = 0; i < pods; ++i) all.push_back(scheduling.schedule(priority));
  return all;
}

uint64_t messages(Scheduling& scheduling, int pods) {
  const uint64_t before = isolation::messages_sent();
  for (int i = 0; i < pods; ++i) EXPECT_THAT(scheduling.schedule(0), HasSubstr("on "));
  return isolation::messages_sent() - before;
}

// Each decision asks the filter and the score of the first, and the score of the second, about the
// node that the last pod went to.
TEST(IsolatedRounds, DecisionIsOneMessageForEachProcess) {
  Scheduling one(Evaluation::kIncremental, {"NodeResourcesFit"});
  Scheduling two(Evaluation::kIncremental, {"NodeResourcesFit", "NodeResourcesBalancedAllocation"});
  messages(one, 3);  // the ranking is made
  messages(two, 3);
  EXPECT_EQ(messages(one, 5), 5u);  // 10 and 15 calls
  EXPECT_EQ(messages(two, 5), 10u);
}

// The plugin asks for the sum of what pods request of cpu: 100m each, at most 200m on a node.
TEST(IsolatedServices, QueriesHaveTheirResource) {
  Scheduling scheduling(Evaluation::kIncremental, {"DomainLimit"}, OnFailure::kPod,
                        R"([{"name":"DomainLimit","args":{"selector":{},)"
                        R"("topologyKey":"kubernetes.io/hostname","resource":"cpu","most":200}}])");
  EXPECT_THAT(outcomes(scheduling, 0, 8), testing::Each(HasSubstr("on ")));
  EXPECT_THAT(scheduling.schedule(0),
              HasSubstr("0/4 nodes are available: 4 node(s) were in a full domain."));
}

class IsolatedFailures : public testing::TestWithParam<int32_t> {};

TEST_P(IsolatedFailures, CostTheSameInEachEvaluation) {
  const int32_t priority = GetParam();
  constexpr int kPods = 10;  // the last one finds a node with three pods
  Scheduling reference(Evaluation::kReference, {"Fragile"});
  const std::vector<std::string> expected = outcomes(reference, priority, kPods);
  const bool of_filter = priority == kFilterCrashes || priority == kFilterHangs;
  const bool crashes = priority == kFilterCrashes || priority == kScoreCrashes;
  EXPECT_THAT(expected.back(),
              HasSubstr(of_filter ? "running \"Fragile\" filter plugin: the plugin's process was"
                                  : "running Score plugins: plugin \"Fragile\" failed with: the "
                                    "plugin's process was"));
  EXPECT_THAT(expected.back(), HasSubstr(crashes ? "ended by the signal 9" : "had not answered"));
  EXPECT_THAT(expected.front(), HasSubstr("on "));
  for (const Evaluation evaluation : {Evaluation::kFull, Evaluation::kIncremental}) {
    Scheduling scheduling(evaluation, {"Fragile", "NodeResourcesFit"});
    EXPECT_EQ(outcomes(scheduling, priority, kPods), expected) << name_of(evaluation);
    EXPECT_THAT(scheduling.schedule(0), HasSubstr("on ")) << name_of(evaluation);
  }
}

class IsolatedCrashes : public testing::TestWithParam<int32_t> {};

TEST_P(IsolatedCrashes, AreSkippedTheSameInEachEvaluation) {
  const int32_t priority = GetParam();
  constexpr int kPods = 11;
  Scheduling reference(Evaluation::kReference, {"Fragile"}, OnFailure::kSkip);
  const std::vector<std::string> expected = outcomes(reference, priority, kPods);
  EXPECT_THAT(expected, testing::Each(HasSubstr("on ")));
  for (const Evaluation evaluation : {Evaluation::kFull, Evaluation::kIncremental}) {
    Scheduling scheduling(evaluation, {"Fragile"}, OnFailure::kSkip);
    EXPECT_EQ(outcomes(scheduling, priority, kPods), expected) << name_of(evaluation);
  }
}

INSTANTIATE_TEST_SUITE_P(Fragile, IsolatedFailures,
                         testing::Values(kFilterCrashes, kScoreCrashes, kFilterHangs, kScoreHangs));
INSTANTIATE_TEST_SUITE_P(Fragile, IsolatedCrashes, testing::Values(kFilterCrashes, kScoreCrashes));

}  // namespace
}  // namespace berth::tests
