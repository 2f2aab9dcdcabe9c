#include "loadgen/scheduler_perf/plan/scheduler_perf_refusals.h"

#include <gmock/gmock.h>

#include "loadgen/import/testing.h"

namespace berth::loadgen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_imports::first_error;
using testing_imports::import_text;
using testing_imports::one_case;
using testing_imports::only;

std::vector<std::string> missing(const std::string& ops, const std::string& workload = "") {
  return only(one_case(ops, workload)).missing;
}

std::string pods(const std::string& path, const std::string& rest = "") {
  return "  - {opcode: createPods, count: 1, podTemplatePath: " + path + rest + "}\n";
}

constexpr char kNode[] = "  - {opcode: createNodes, count: 1, nodeTemplatePath: node.yaml}\n";

TEST(SchedulerPerfRefusals, FeatureGates) {
  const std::string op = pods("pod.yaml");
  EXPECT_THAT(missing(op,
                      "    featureGates: {SchedulerAsyncAPICalls: true, "
                      "SchedulerQueueingHints: false, OpportunisticBatching: false}\n"),
              IsEmpty());
  EXPECT_THAT(missing(op, "    featureGates: {GangScheduling: true}\n"),
              ElementsAre("feature gate GangScheduling=true"));
  EXPECT_THAT(missing(op, "    featureGates: {SomethingNew: false}\n"),
              ElementsAre("feature gate SomethingNew=false"));
}

// With the gate, an extended resource is another one only where a DeviceClass offers it.
TEST(SchedulerPerfRefusals, ExtendedResourcesOfDeviceClasses) {
  const std::string gate = "    featureGates: {DRAExtendedResource: true}\n";
  EXPECT_THAT(missing(pods("pod.yaml"), gate), IsEmpty());
  EXPECT_THAT(
      missing("  - {opcode: createAny, templatePath: device-class.yaml}\n" + pods("pod.yaml"),
              gate),
      ElementsAre("objects of the kind DeviceClass"));
}

TEST(SchedulerPerfRefusals, AWorkloadsGatesGoOverThoseOfItsTestCase) {
  Diagnostics diagnostics;
  const std::vector<Workload> workloads =
      import_text("- name: C\n  featureGates: {GangScheduling: true}\n  workloadTemplate:\n" +
                      pods("pod.yaml") +
                      "  workloads:\n  - {name: a}\n"
                      "  - {name: b, featureGates: {GangScheduling: false}}\n",
                  diagnostics);
  ASSERT_EQ(workloads.size(), 2u);
  EXPECT_THAT(workloads[0].missing, ElementsAre("feature gate GangScheduling=true"));
  EXPECT_THAT(workloads[1].missing, IsEmpty());
}

TEST(SchedulerPerfRefusals, OperationsAndSettings) {
  EXPECT_THAT(missing("  - {opcode: createResourceDriver, driverName: x, anything: [1]}\n"),
              ElementsAre("dynamic resource allocation"));
  EXPECT_THAT(missing("  - {opcode: updateAny, namespace: a, templatePath: service.yaml}\n"),
              ElementsAre("updates of objects other than pods and nodes (updateAny)"));
  EXPECT_THAT(missing("  - {opcode: updateAny, namespace: a, templatePath: named-any-pod.yaml, "
                      "subresources: [status]}\n"),
              ElementsAre("updates of the subresource status (updateAny)"));
  EXPECT_THAT(missing("  - {opcode: createPodGroups, count: 1}\n"), ElementsAre("pod groups"));
  EXPECT_THAT(missing("  - {opcode: createPods, count: 1, steadyState: true, duration: 1s}\n"),
              ElementsAre("steadyState of createPods"));
  EXPECT_THAT(only("- name: C\n  schedulerApiClientQPS: 100\n  workloadTemplate:\n" +
                   pods("pod.yaml") + "  workloads: [{name: a}]\n")
                  .missing,
              ElementsAre("a limit on calls to an API server (schedulerApiClientQPS)"));
  EXPECT_THAT(missing("  - {opcode: createAny, namespace: a, templatePath: claim.yaml}\n"),
              ElementsAre("objects of the kind ResourceClaim"));
  EXPECT_THAT(missing(pods("conditional-pod.yaml")), ElementsAre("\"if\" in a template"));
}

TEST(SchedulerPerfRefusals, NoVolumes) {
  for (const char* file : {"volume-pod.yaml", "secret-pod.yaml", "repository-pod.yaml"})
    EXPECT_THAT(missing(pods(file)), IsEmpty()) << file;
  EXPECT_THAT(missing(pods("pod.yaml",
                           ", persistentVolumeTemplatePath: volume.yaml, "
                           "persistentVolumeClaimTemplatePath: volume-claim.yaml")),
              IsEmpty());
}

TEST(SchedulerPerfRefusals, PreemptionAndRetriesAreNoReason) {
  EXPECT_THAT(missing(kNode + pods("pod.yaml") + pods("important-pod.yaml")), IsEmpty());
  EXPECT_THAT(missing(pods("pod.yaml", ", skipWaitToCompletion: true") + kNode), IsEmpty());
  EXPECT_THAT(missing(kNode + pods("pod.yaml") +
                      "  - {opcode: churn, mode: create, templatePaths: [important-pod.yaml]}\n"),
              testing::Contains("objects of the kind Pod"))
      << "an object of churn needs its apiVersion";
}

// Objects between the first and the last can differ from both.
TEST(SchedulerPerfRefusals, ObjectsInBetweenCount) {
  const auto some = [](const std::string& what, const std::string& count) {
    return "  - {opcode: createPods, count: " + count + ", podTemplatePath: " + what + "}\n";
  };
  EXPECT_THAT(missing(kNode + some("alternating-pod.yaml", "9")), IsEmpty());
  const std::string many =
      "objects of one operation that .Index makes differ in more than their "
      "names, more than 16384 of them";
  EXPECT_THAT(missing(some("alternating-pod.yaml", "16385")), ElementsAre(many));
  EXPECT_THAT(missing("  - {opcode: createNodes, count: 16385, nodeTemplatePath: "
                      "zoned-node.yaml}\n"),
              IsEmpty())
      << "labels of nodes refuse nothing";
  EXPECT_THAT(missing("  - {opcode: startCollectingMetrics, namespaces: [m], labelSelector: {kind: "
                      "\"1\"}}\n  - {opcode: createPods, count: 2, namespace: m, podTemplatePath: "
                      "alternating-pod.yaml}\n  - {opcode: stopCollectingMetrics}\n"),
              ElementsAre("startCollectingMetrics for some pods of an operation"));
}

// A setting that makes a workload need more is wrong use; what it needs anyway is not.
TEST(SchedulerPerfRefusals, OfASettingAreWrongUse) {
  const std::string op =
      "  - {opcode: createPods, countParam: $many, podTemplatePath: alternating-pod.yaml}\n";
  const std::string gate = "    featureGates: {GangScheduling: true}\n";
  const std::string params = "    params: {many: 1}\n";
  EXPECT_THROW(only(one_case(op, params)).open({0, {{"many", "16385"}}}), UsageError);
  try {
    only(one_case(op, gate + params)).open({0, {{"many", "2"}}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(dynamic_cast<const UsageError*>(&error), nullptr);
    EXPECT_THAT(error.what(), HasSubstr("feature gate GangScheduling=true"));
  }
}

TEST(SchedulerPerfRefusals, WhatIsRefusedDoesNotOpen) {
  const Workload workload =
      only(one_case("  - {opcode: createAny, namespace: a, templatePath: claim.yaml}\n"));
  try {
    workload.open({});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("Case/only needs features that are not built: objects of the kind "
                          "ResourceClaim"));
  }
}

struct Fault {
  std::string text;
  std::string error;
};

TEST(SchedulerPerfErrors, SayWhereAndWhat) {
  const std::vector<Fault> faults = {
      {one_case("  - {opcode: createPod, count: 1}\n"),
       "suite/config.yaml:4:14: [0].workloadTemplate[0].opcode: unknown opcode \"createPod\""},
      {one_case("  - {opcode: createPods, cuont: 1}\n"),
       "suite/config.yaml:4:26: [0].workloadTemplate[0].cuont: unknown field \"cuont\" of "
       "createPods; it takes opcode, count, countParam"},
      {one_case("  - {opcode: createPods, count: -1}\n"), "must be a whole number from 0 to"},
      {one_case("  - {opcode: createPods, count: \"1\"}\n"), "count must be a number"},
      {one_case("  - {opcode: createPods, countParam: many}\n"), "must name a parameter"},
      {one_case("  - {opcode: createPods, countParam: $many}\n"), "does not set parameter many"},
      {one_case("  - {opcode: barrier}\n", "    params: {many: 1}\n"), "no operation of the"},
      {one_case("  - {opcode: createPods, countParam: $many}\n", "    params: {many: \"3\"}\n"),
       "parameter many must be a whole number"},
      {one_case("  - {opcode: createPods, count: 1, collectMetrics: true, skipWaitToCompletion: "
                "true}\n"),
       "exclude each other"},
      {one_case("  - {opcode: createPods, count: 1, podTemplatePath: none.yaml}\n"),
       "suite/config.yaml:4:53: [0].workloadTemplate[0].podTemplatePath: Case/only: the template "
       "cannot be read: suite/none.yaml: there is no such file"},
      {one_case("  - {opcode: createPods, count: 1, podTemplatePath: broken-pod.yaml}\n"),
       "suite/broken-pod.yaml:5:"},
      {one_case("  - {opcode: churn, mode: recreate, templatePaths: [pod.yaml]}\n"),
       "needs a number above 0"},
      {one_case("  - {opcode: sleep, duration: soon}\n"), "such as 1m30s"},
      {one_case(pods("pod.yaml", ", persistentVolumeTemplatePath: volume.yaml")),
       "[0].workloadTemplate[0].persistentVolumeTemplatePath: persistentVolumeTemplatePath and "
       "persistentVolumeClaimTemplatePath need each other"},
      {one_case(pods("pod.yaml",
                     ", persistentVolumeTemplatePath: volume-claim.yaml, "
                     "persistentVolumeClaimTemplatePath: volume-claim.yaml")),
       "suite/volume-claim.yaml:1:7: Case/only: expected a PersistentVolume"},
      {one_case("  - {opcode: createNodes, count: 1, nodeAllocatableStrategy: {csiNodeAllocatable: "
                "{d: {counts: 3}}}}\n"),
       "unknown field \"counts\" of the limits of a driver"},
      {one_case("  - {opcode: barrier, stageRequirement: Done}\n"), "Scheduled or Attempted"},
      {one_case("  - {opcode: stopCollectingMetrics}\n"), "without a start"},
      {one_case("  - {opcode: startCollectingMetrics, namespaces: [a]}\n"), "without a stop"},
      {one_case("  - {opcode: createNodes, count: 1, labelNodePrepareStrategy: {labelKey: a}}\n"),
       "needs labelValues"},
      {one_case("  - {opcode: createPodSets, count: 1, createPodsOp: {opcode: sleep}}\n"),
       "must be of the opcode createPods"},
      {one_case(pods("pod.yaml"), "    threshold: fast\n"), "threshold must be a number"},
      {"- name: C\n  workloads: [{name: a}]\n", "has no workloadTemplate"},
      {"- workloadTemplate: [{opcode: barrier}]\n  workloads: [{name: a}]\n", "needs a name"},
      {"name: C\n", "expected a list of test cases"},
      {"- 5\n", "expected a test case"},
  };
  for (const Fault& fault : faults) EXPECT_THAT(first_error(fault.text), HasSubstr(fault.error));
}

TEST(SchedulerPerfErrors, WhatIsRightBesideThemStays) {
  Diagnostics diagnostics;
  const std::vector<Workload> workloads = import_text(
      "- name: Bad\n  workloadTemplate: [{opcode: nothing}]\n  workloads: [{name: a}]\n"
      "- name: Good\n  workloadTemplate: [{opcode: createPods, countParam: $many}]\n"
      "  workloads:\n  - {name: a, params: {many: 1}}\n  - {name: b}\n  - {name: a, params: {many: "
      "2}}\n"
      "- name: Good\n  workloadTemplate: [{opcode: barrier}]\n  workloads: [{name: c}]\n",
      diagnostics);
  ASSERT_EQ(workloads.size(), 1u);
  EXPECT_EQ(workloads[0].name, "Good/a");
  EXPECT_EQ(diagnostics.count(), 4u);
}

TEST(SchedulerPerfErrors, NamesThatComeTwice) {
  const Workload workload =
      only(one_case("  - {opcode: createNodes, count: 2, nodeTemplatePath: fixed-node.yaml}\n"));
  EXPECT_THROW(testing_imports::lines_of(workload), Error);
  for (const char* file : {"named-any-pod.yaml", "fixed-any-node.yaml"})
    EXPECT_THROW(testing_imports::lines_of(only(
                     one_case("  - {opcode: createAny, count: 2, namespace: a, templatePath: " +
                              std::string(file) + "}\n"))),
                 Error)
        << file;
}

}  // namespace
}  // namespace berth::loadgen
