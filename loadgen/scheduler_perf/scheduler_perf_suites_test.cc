// Plays every workload of kube-scheduler's own benchmark, or checks that it is refused with the
// right reason. Skipped if the suites are not available.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "engine/base/sanitized.h"
#include "engine/document/document.h"
#include "loadgen/scheduler_perf/import_scheduler_perf.h"

namespace berth::loadgen {
namespace {

constexpr char kFolder[] = BERTH_SHARED_DIR "/scheduler_perf";

std::vector<Workload> import(const std::string& suite, Diagnostics& diagnostics) {
  const std::string path = std::string(kFolder) + "/" + suite + "/performance-config.yaml";
  const document::Document document = document::Document::read(path, diagnostics);
  EXPECT_TRUE(is_scheduler_perf(document));
  return import_scheduler_perf(document, path, diagnostics);
}

struct Totals {
  uint64_t nodes = 0, pods = 0, measured = 0, deleted = 0, terminating = 0, steps = 0;
  uint64_t claims = 0, storage = 0;  // claims of pods; objects of storage
};

Totals play(const Workload& workload, const LoadSettings& settings = {}) {
  Totals totals;
  LoadStep step;
  Nanoseconds at{0};
  std::set<uint32_t> defined;
  const std::unique_ptr<Load> load = workload.open(settings);
  while (load->next(step)) {
    ++totals.steps;
    EXPECT_GE(step.at, at);
    at = step.at;
    totals.pods += step.pods.size();
    totals.claims += step.pods.claims.size();
    EXPECT_EQ(step.planned.size(), step.pods.size());
    EXPECT_LE(step.pods.size(), 4096u);
    if (step.measured) totals.measured += step.pods.size();
    for (const ingest::TemplateDefinition& definition : step.templates)
      defined.insert(definition.id);
    for (const uint32_t id : step.pods.template_ids) EXPECT_TRUE(defined.contains(id));
    for (const auto* changes : {&step.cluster, &step.events}) {
      for (const auto& [operation, object] : *changes) {
        const bool added = operation == model::Operation::kAdded;
        const bool pod = std::holds_alternative<ingest::TemplatePod>(object);
        totals.nodes += added && std::holds_alternative<model::Node>(object);
        totals.storage += added && std::holds_alternative<model::VolumeObject>(object);
        totals.deleted += pod && operation == model::Operation::kDeleted;
        totals.terminating += pod && operation == model::Operation::kModified;
      }
    }
  }
  EXPECT_NE(load->note().find(workload.name), std::string::npos);
  return totals;
}

// Why the workloads of a test case, or one of them, are refused. All others must play.
struct Refusal {
  std::string_view name;  // prefix of the name
  std::string_view missing;
};
constexpr Refusal kRefusals[] = {
    {"LowAPIServerQPSWithMultipleUnscheduledPods/",
     "a limit on calls to an API server (schedulerApiClientQPS)"},
    {"PreemptionPodGroupDisruptionMode/", "feature gate GenericWorkload=true, pod groups"},
};

std::string_view expected_refusal(const std::string& name) {
  const auto* found = std::ranges::find_if(
      kRefusals, [&](const Refusal& refusal) { return name.starts_with(refusal.name); });
  return found == std::end(kRefusals) ? std::string_view() : found->missing;
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : ", ") + text;
  return all;
}

uint64_t parameter(const Workload& workload, const std::string& name) {
  const auto found = workload.parameters.find(name);
  return found == workload.parameters.end() ? 0 : std::stoull(found->second);
}

class Suites : public testing::TestWithParam<const char*> {};

TEST_P(Suites, EveryWorkloadIsPlayedOrRefused) {
  if (!std::filesystem::exists(kFolder)) GTEST_SKIP() << kFolder << " is not there";
  Diagnostics diagnostics;
  const std::vector<Workload> workloads = import(GetParam(), diagnostics);
  EXPECT_FALSE(workloads.empty());
  for (const Error& error : diagnostics.kept()) ADD_FAILURE() << error.what();
  for (const Workload& workload : workloads) {
    EXPECT_EQ(joined(workload.missing), expected_refusal(workload.name)) << workload.name;
    if (!workload.missing.empty()) {
      EXPECT_THROW(workload.open({}), Error) << workload.name;
      continue;
    }
    // Every kind of operation is in workloads of a few thousand objects as well.
    if (kSanitized && parameter(workload, "initNodes") + parameter(workload, "initPods") +
                              parameter(workload, "measurePods") >
                          4000)
      continue;
    const Totals totals = play(workload);
    EXPECT_GE(totals.nodes, parameter(workload, "initNodes")) << workload.name;
    EXPECT_GE(totals.measured, parameter(workload, "measurePods")) << workload.name;
    EXPECT_GT(totals.measured, 0u) << workload.name;
    EXPECT_LE(totals.deleted, totals.pods) << workload.name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Suites,
                         testing::Values("misc", "affinity", "topology_spreading", "batching",
                                         "volumes", "default_preemption"));

// Each pod with a claim has one of its own, which is bound; without volumes none has any.
TEST(Suites, VolumesComeWithTheirPodsOrAreLeftOut) {
  if (!std::filesystem::exists(kFolder)) GTEST_SKIP() << kFolder << " is not there";
  Diagnostics diagnostics;
  size_t played = 0;
  for (const Workload& workload : import("volumes", diagnostics)) {
    if (!workload.name.starts_with("PreemptionPVs/")) continue;
    for (const bool volumes : {true, false}) {
      const Totals totals = play(workload, {0, {{"volumes", volumes ? "true" : "false"}}});
      const uint64_t own = volumes ? parameter(workload, "measurePods") : 0;
      EXPECT_EQ(totals.pods, parameter(workload, "initPods") + parameter(workload, "measurePods"));
      EXPECT_EQ(totals.claims, own) << workload.name;
      EXPECT_EQ(totals.storage, 2 * own) << workload.name;
    }
    ++played;
  }
  EXPECT_GT(played, 0u);
}

// Suites with templates that are not available: such workloads are reported, and nothing else is.
class RefusedSuites : public testing::TestWithParam<const char*> {};

TEST_P(RefusedSuites, AreRefusedByName) {
  if (!std::filesystem::exists(kFolder)) GTEST_SKIP() << kFolder << " is not there";
  Diagnostics diagnostics;
  const std::vector<Workload> workloads = import(GetParam(), diagnostics);
  EXPECT_TRUE(!workloads.empty() || diagnostics.count() != 0);
  for (const Error& error : diagnostics.kept())
    EXPECT_NE(error.message().find("the template cannot be read"), std::string::npos)
        << error.what();
  for (const Workload& workload : workloads)
    EXPECT_FALSE(workload.missing.empty()) << workload.name;
}

INSTANTIATE_TEST_SUITE_P(All, RefusedSuites,
                         testing::Values("event_handling", "dra", "cpg", "podgroup/basicscheduling",
                                         "podgroup/gangscheduling", "podgroup/tas"));

}  // namespace
}  // namespace berth::loadgen
