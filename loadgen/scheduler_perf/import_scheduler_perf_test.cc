#include "loadgen/scheduler_perf/import_scheduler_perf.h"

#include <gmock/gmock.h>

#include "loadgen/import/testing.h"

namespace berth::loadgen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_imports::first_error;
using testing_imports::import_text;
using testing_imports::lines_of;
using testing_imports::one_case;
using testing_imports::only;
using Lines = std::vector<std::string>;

// Two pods per second and no signature labels, unless a test sets them.
LoadSettings slow(std::map<std::string, std::string> parameters = {}) {
  LoadSettings settings;
  settings.parameters = std::move(parameters);
  settings.parameters.try_emplace("podsPerSecond", "2");
  settings.parameters.try_emplace("signatureLabels", "false");
  return settings;
}

Lines played(const std::string& ops, const std::string& workload = "") {
  return lines_of(only(one_case(ops, workload)), slow());
}

TEST(SchedulerPerf, SaysWhatAWorkloadIs) {
  Diagnostics diagnostics;
  const std::vector<Workload> workloads = import_text(
      "- name: Basic\n  schedulerConfigPath: ../config/s.yaml\n  labels: [all]\n"
      "  defaultPodTemplatePath: pod.yaml\n"
      "  workloadTemplate:\n  - {opcode: createPods, countParam: $pods, collectMetrics: true}\n"
      "  workloads:\n  - {name: small, params: {pods: 3}}\n"
      "  - {name: large, labels: [performance], threshold: 270, params: {pods: 5000}}\n",
      diagnostics);
  ASSERT_EQ(diagnostics.count(), 0u);
  ASSERT_EQ(workloads.size(), 2u);
  EXPECT_EQ(workloads[0].name, "Basic/small");
  EXPECT_EQ(workloads[0].source, "suite/config.yaml");
  EXPECT_THAT(workloads[0].labels, ElementsAre("all"));
  EXPECT_EQ(workloads[0].threshold, std::nullopt);
  EXPECT_EQ(workloads[0].scheduler_config, "config/s.yaml");
  EXPECT_EQ(workloads[0].parameters.at("pods"), "3");
  EXPECT_EQ(workloads[0].parameters.at("podsPerSecond"), "1000");
  EXPECT_THAT(workloads[1].labels, ElementsAre("all", "performance"));
  EXPECT_EQ(workloads[1].threshold, 270);
  EXPECT_EQ(workloads[1].parameters.at("podsPerSecond"), "270");
  EXPECT_THAT(workloads[1].open({})->note(),
              testing::AllOf(HasSubstr("Basic/large"), HasSubstr("seed 0"), HasSubstr("pods=5000"),
                             HasSubstr("podsPerSecond=270")));
}

TEST(SchedulerPerf, AThresholdIsASpeedWithinReason) {
  const auto speed = [](const std::string& threshold) {
    return only(one_case("  - {opcode: createPods, count: 1}\n",
                         "    threshold: " + threshold + "\n"))
        .parameters.at("podsPerSecond");
  };
  EXPECT_EQ(speed("1e300"), "1000000000");
  EXPECT_EQ(speed("0.5"), "1");
  EXPECT_EQ(speed("99.9"), "99");
}

TEST(SchedulerPerf, CreatesNodesThenPods) {
  EXPECT_THAT(played("  - {opcode: createNodes, count: 2, nodeTemplatePath: node.yaml}\n"
                     "  - {opcode: createPods, count: 2}\n"
                     "  - {opcode: createPods, count: 1, namespace: own, collectMetrics: true}\n"),
              ElementsAre("0ms node node-0000000 kubernetes.io/hostname=node-0000000 shape=small",
                          "0ms node node-0000001 kubernetes.io/hostname=node-0000001 shape=small",
                          "0ms namespace namespace-1 kubernetes.io/metadata.name=namespace-1",
                          "0ms pod namespace-1/pod-0000000", "500ms pod namespace-1/pod-0000001",
                          "1000ms +namespace own kubernetes.io/metadata.name=own",
                          "1000ms measured pod own/pod-0000002"));
}

TEST(SchedulerPerf, NodesGetLabelsInTurnOrEachItsOwn) {
  EXPECT_THAT(
      played("  - opcode: createNodes\n    count: 3\n    nodeTemplatePath: named-node.yaml\n"
             "    labelNodePrepareStrategy: {labelKey: zone, labelValues: [a, b]}\n"
             "  - opcode: createNodes\n    count: 2\n"
             "    uniqueNodeLabelStrategy: {labelKey: own}\n"),
      ElementsAre("0ms node n0-of-3 kubernetes.io/hostname=n0-of-3 zone=a",
                  "0ms node n1-of-3 kubernetes.io/hostname=n1-of-3 zone=b",
                  "0ms node n2-of-3 kubernetes.io/hostname=n2-of-3 zone=a",
                  "0ms node node-1-0000003 kubernetes.io/hostname=node-1-0000003 own=unique-3",
                  "0ms node node-1-0000004 kubernetes.io/hostname=node-1-0000004 own=unique-4"));
}

TEST(SchedulerPerf, NodesThatComeAfterPodsAreEvents) {
  EXPECT_THAT(played("  - {opcode: createNodes, count: 1}\n"
                     "  - {opcode: createPods, count: 1}\n"
                     "  - {opcode: createNodes, count: 1}\n"),
              ElementsAre("0ms node node-0-0000000 kubernetes.io/hostname=node-0-0000000",
                          "0ms namespace namespace-1 kubernetes.io/metadata.name=namespace-1",
                          "0ms pod namespace-1/pod-0000000",
                          "500ms +node node-2-0000001 kubernetes.io/hostname=node-2-0000001"));
}

TEST(SchedulerPerf, AllocatableIsWhatTheStrategySays) {
  const Workload workload = only(one_case(
      "  - opcode: createNodes\n    count: 1\n    nodeTemplatePath: node.yaml\n"
      "    nodeAllocatableStrategy: {nodeAllocatable: {cpu: \"2\", example.com/x: \"7\"}}\n"));
  LoadStep step;
  ASSERT_TRUE(workload.open({})->next(step));
  std::string amounts;
  for (const auto& [name, amount] : std::get<model::Node>(step.cluster.at(0).object).allocatable)
    amounts += name + "=" + amount.to_string() + " ";
  EXPECT_EQ(amounts, "cpu=2 example.com/x=7 memory=8589934592 pods=10 ");
}

TEST(SchedulerPerf, NamespacesAndSelectorOwners) {
  EXPECT_THAT(
      played("  - {opcode: createNamespaces, prefix: ns, count: 2, namespaceTemplatePath: "
             "namespace.yaml}\n"
             "  - {opcode: createPodSets, count: 2, namespacePrefix: ns, createPodsOp: {opcode: "
             "createPods, count: 1}}\n"
             "  - {opcode: createPods, count: 1}\n"),
      ElementsAre("0ms namespace ns-0 kubernetes.io/metadata.name=ns-0 team=red",
                  "0ms namespace ns-1 kubernetes.io/metadata.name=ns-1 team=red",
                  "0ms pod ns-0/pod-0000000", "500ms pod ns-1/pod-0000001",
                  // Each pod set counts as an operation of its own, as upstream splits them.
                  "1000ms +namespace namespace-3 kubernetes.io/metadata.name=namespace-3",
                  "1000ms pod namespace-3/pod-0000002"));
}

TEST(SchedulerPerf, TemplatesHaveNumbersAndParameters) {
  const Workload workload = only(
      one_case("  - opcode: createPods\n    countParam: $sets\n    countMultiplierParam: $each\n"
               "    podTemplatePath: indexed-pod.yaml\n    templateParams: {cpu: $cpu}\n",
               "    params: {sets: 1, each: 3, cpu: \"200m\"}\n"));
  const std::unique_ptr<Load> load = workload.open(slow({{"cpu", "300m"}}));
  LoadStep step;
  std::vector<std::string> pods;
  std::map<uint32_t, std::string> groups;
  while (load->next(step)) {
    for (const ingest::TemplateDefinition& definition : step.templates) {
      groups[definition.id] = definition.spec->labels.at(0).second + " " +
                              definition.spec->containers.at(0).requests.at(0).second.to_string();
    }
    for (size_t i = 0; i < step.pods.size(); ++i)
      pods.push_back(std::string(step.pods.names[i]) + " " + groups[step.pods.template_ids[i]]);
  }
  EXPECT_THAT(pods, ElementsAre("p0 0 300m", "p1 1 300m", "p2 0 300m"));
  EXPECT_EQ(groups.size(), 2u);  // equal pods share a template
}

TEST(SchedulerPerf, PodsHaveSignatureLabelsAsUpstreamGivesThem) {
  const Workload workload =
      only(one_case("  - {opcode: createPods, count: 3, signatureBatchSizeParam: $batch}\n"
                    "  - {opcode: createPods, count: 1}\n",
                    "    params: {batch: 2}\n"));
  EXPECT_THAT(lines_of(workload),
              ElementsAre("0ms namespace namespace-0 kubernetes.io/metadata.name=namespace-0",
                          "0ms pod namespace-0/pod-0000000 signature=signature-label-0",
                          "1ms pod namespace-0/pod-0000001 signature=signature-label-0",
                          "2ms pod namespace-0/pod-0000002 signature=signature-label-1",
                          "3ms +namespace namespace-1 kubernetes.io/metadata.name=namespace-1",
                          "3ms pod namespace-1/pod-0000003 signature=signature-label-0"));
}

TEST(SchedulerPerf, FieldNamesAreTakenInAnyCase) {
  const Workload workload =
      only(one_case("  - {opcode: createPods, count: 1, podTemplatePath: folded-pod.yaml}\n"));
  LoadStep step;
  ASSERT_TRUE(workload.open({})->next(step));
  const model::PodSpec& spec = *step.templates.at(0).spec;
  ASSERT_EQ(spec.topology_spread_constraints.size(), 1u);
  EXPECT_EQ(spec.topology_spread_constraints[0].node_taints_policy, "Honor");
  EXPECT_EQ(spec.labels.at(0).first, "Name");  // the key of a label is not a field name
}

TEST(SchedulerPerf, ChurnGoesOnBesideThePods) {
  EXPECT_THAT(
      played("  - {opcode: createNodes, count: 1}\n"
             "  - opcode: churn\n    mode: recreate\n    number: 1\n"
             "    intervalMilliseconds: 700\n"
             "    templatePaths: [churned-node.yaml, large-pod.yaml, service.yaml]\n"
             "  - {opcode: createPods, count: 4, collectMetrics: true}\n"),
      ElementsAre("0ms node node-0-0000000 kubernetes.io/hostname=node-0-0000000",
                  "0ms namespace namespace-1 kubernetes.io/metadata.name=namespace-1",
                  "0ms namespace namespace-2 kubernetes.io/metadata.name=namespace-2",
                  "0ms measured pod namespace-2/pod-0000000",
                  "500ms measured pod namespace-2/pod-0000001", "700ms +node churned-0000001",
                  "700ms +owner namespace-1/svc-0000000",
                  "700ms measured pod namespace-1/large-0000004",
                  "1000ms measured pod namespace-2/pod-0000002", "1400ms -node churned-0000001",
                  "1400ms -pod namespace-1/large-0000004", "1400ms -owner namespace-1/svc-0000000",
                  "1500ms measured pod namespace-2/pod-0000003"));
}

TEST(SchedulerPerf, ChurnThatOnlyCreatesStopsAtItsNumber) {
  EXPECT_THAT(played("  - {opcode: churn, mode: create, number: 2, namespace: c, "
                     "intervalMilliseconds: 100, templatePaths: [graceful-pod.yaml]}\n"
                     "  - {opcode: sleep, duration: 1s}\n"),
              ElementsAre("0ms namespace c kubernetes.io/metadata.name=c",
                          "100ms pod c/graceful-0000000", "200ms pod c/graceful-0000001"));
}

TEST(SchedulerPerf, PodsAreDeletedOneByOneBesideOthers) {
  EXPECT_THAT(
      played("  - {opcode: createNodes, count: 1}\n"
             "  - {opcode: createPods, count: 2, namespace: a}\n"
             "  - {opcode: deletePods, namespace: a, deletePodsPerSecond: 3, "
             "skipWaitToCompletion: true}\n"
             "  - {opcode: createPods, count: 2, namespace: b}\n"),
      ElementsAre("0ms node node-0-0000000 kubernetes.io/hostname=node-0-0000000",
                  "0ms namespace a kubernetes.io/metadata.name=a", "0ms pod a/pod-0000000",
                  "500ms pod a/pod-0000001", "1000ms +namespace b kubernetes.io/metadata.name=b",
                  "1000ms pod b/pod-0000002", "1333ms -pod a/pod-0000000",
                  "1500ms pod b/pod-0000003", "1666ms -pod a/pod-0000001"));
}

TEST(SchedulerPerf, DeletionsThatAreWaitedForTakeTheirTime) {
  EXPECT_THAT(played("  - {opcode: createNodes, count: 1}\n"
                     "  - {opcode: createPods, count: 2, namespace: a}\n"
                     "  - {opcode: deletePods, namespace: a, deletePodsPerSecond: 1}\n"
                     "  - {opcode: deletePods, namespace: a}\n"
                     "  - {opcode: createPods, count: 1, namespace: a}\n"),
              ElementsAre("0ms node node-0-0000000 kubernetes.io/hostname=node-0-0000000",
                          "0ms namespace a kubernetes.io/metadata.name=a", "0ms pod a/pod-0000000",
                          "500ms pod a/pod-0000001", "2000ms -pod a/pod-0000000",
                          "3000ms -pod a/pod-0000001", "3000ms pod a/pod-0000002"));
}

TEST(SchedulerPerf, DeletedPodsStayWhereNobodyTakesThemAway) {
  EXPECT_THAT(
      played("  - {opcode: createNodes, count: 1}\n"
             "  - {opcode: createPods, count: 1, namespace: a, podTemplatePath: "
             "finalizer-pod.yaml}\n"
             "  - {opcode: createPods, count: 1, namespace: a, podTemplatePath: "
             "graceful-pod.yaml}\n"
             "  - {opcode: createPods, count: 1, namespace: a, podTemplatePath: gated-pod.yaml}\n"
             "  - {opcode: deletePods, namespace: a, labelSelector: {kind: fin}}\n"
             "  - {opcode: deletePods, namespace: a}\n"),
      ElementsAre("0ms node node-0-0000000 kubernetes.io/hostname=node-0-0000000",
                  "0ms namespace a kubernetes.io/metadata.name=a", "0ms pod a/fin-0000000",
                  "500ms pod a/graceful-0000001", "1000ms pod a/gated-0000002",
                  "1500ms ~terminating a/fin-0000000", "1500ms ~terminating a/graceful-0000001",
                  "1500ms -pod a/gated-0000002"));
}

TEST(SchedulerPerf, CreatesAnyObject) {
  EXPECT_THAT(played("  - {opcode: createAny, namespace: s, templatePath: service.yaml, count: 2}\n"
                     "  - {opcode: createAny, templatePath: churned-node.yaml}\n"
                     "  - {opcode: createAny, namespace: s, templatePath: secret.yaml}\n"
                     "  - {opcode: createAny, namespace: s, templatePath: gated-pod.yaml}\n"),
              ElementsAre("0ms namespace s kubernetes.io/metadata.name=s",
                          "0ms owner s/svc-0000000", "0ms owner s/svc-0000001",
                          "0ms node churned-0000000", "0ms pod s/gated-0000000"));
}

// An API server takes no status of an object that is created.
TEST(SchedulerPerf, CreatesDisruptionBudgets) {
  EXPECT_THAT(played("  - {opcode: createAny, namespace: s, templatePath: budget.yaml}\n"
                     "  - {opcode: churn, mode: recreate, number: 1, intervalMilliseconds: 700,\n"
                     "     templatePaths: [budget.yaml]}\n"
                     "  - {opcode: createPods, count: 3, namespace: s}\n"),
              ElementsAre("0ms namespace s kubernetes.io/metadata.name=s",
                          "0ms budget s/budget allows 0 app=x",
                          "0ms namespace namespace-1 kubernetes.io/metadata.name=namespace-1",
                          "0ms pod s/pod-0000000", "500ms pod s/pod-0000001",
                          "700ms +budget namespace-1/budget allows 0 app=x",
                          "1000ms pod s/pod-0000002", "1400ms -budget namespace-1/budget"));
}

TEST(SchedulerPerf, CollectsBetweenStartAndStop) {
  EXPECT_THAT(
      played("  - {opcode: startCollectingMetrics, namespaces: [m], labelSelector: {kind: fin}}\n"
             "  - {opcode: createPods, count: 1, namespace: m, podTemplatePath: "
             "finalizer-pod.yaml}\n"
             "  - {opcode: createPods, count: 1, namespace: m}\n"
             "  - {opcode: barrier, stageRequirement: Attempted}\n"
             "  - {opcode: stopCollectingMetrics}\n"
             "  - {opcode: createPods, count: 1, namespace: m, podTemplatePath: "
             "finalizer-pod.yaml}\n"),
      ElementsAre("0ms namespace m kubernetes.io/metadata.name=m", "0ms measured pod m/fin-0000000",
                  "500ms measured pod m/pod-0000001", "1000ms pod m/fin-0000002"))
      << "the second pod may be what the first one waits for";
}

TEST(SchedulerPerf, PodsOfCreateAnyAreMeasuredAndDeletedAsAnyOthers) {
  EXPECT_THAT(
      played("  - {opcode: createNodes, count: 1}\n"
             "  - {opcode: startCollectingMetrics, namespaces: [m], labelSelector: {kind: fin}}\n"
             "  - {opcode: createAny, count: 2, namespace: m, templatePath: finalizer-pod.yaml}\n"
             "  - {opcode: createAny, count: 1, namespace: m, templatePath: pod.yaml}\n"
             "  - {opcode: stopCollectingMetrics}\n"
             "  - {opcode: createPods, count: 1, namespace: m}\n"
             "  - {opcode: deletePods, namespace: m, labelSelector: {kind: fin}}\n"
             "  - {opcode: deletePods, namespace: m}\n"),
      ElementsAre("0ms node node-0-0000000 kubernetes.io/hostname=node-0-0000000",
                  "0ms namespace m kubernetes.io/metadata.name=m", "0ms measured pod m/fin-0000000",
                  "0ms measured pod m/fin-0000001", "0ms measured pod m/pod-0000002",
                  "0ms pod m/pod-0000003", "500ms ~terminating m/fin-0000000",
                  "500ms ~terminating m/fin-0000001", "500ms -pod m/pod-0000002",
                  "500ms -pod m/pod-0000003"));
}

TEST(SchedulerPerf, PodsThatNameTheirNodeArePlaced) {
  EXPECT_THAT(played("  - {opcode: createNodes, count: 1, nodeTemplatePath: fixed-node.yaml}\n"
                     "  - {opcode: createPods, count: 1, namespace: a, podTemplatePath: "
                     "placed-pod.yaml}\n"),
              ElementsAre("0ms node fixed kubernetes.io/hostname=fixed",
                          "0ms namespace a kubernetes.io/metadata.name=a",
                          "0ms +placed a/placed-0000000 on fixed"));
}

TEST(SchedulerPerf, UpdatesComeOneByOneBesideTimers) {
  EXPECT_THAT(
      played("  - {opcode: createNodes, count: 2, nodeTemplatePath: zoned-node.yaml}\n"
             "  - {opcode: createPods, count: 1, namespace: a}\n"
             "  - {opcode: deletePods, namespace: a, deletePodsPerSecond: 10, "
             "skipWaitToCompletion: true}\n"
             "  - {opcode: updateAny, count: 2, templatePath: updated-node.yaml, "
             "updatePerSecond: 8}\n"),
      ElementsAre("0ms node z0 false=0 kubernetes.io/hostname=z0",
                  "0ms node z1 false=1 kubernetes.io/hostname=z1",
                  "0ms namespace a kubernetes.io/metadata.name=a", "0ms pod a/pod-0000000",
                  "600ms -pod a/pod-0000000", "625ms ~node z0 new=yes", "750ms ~node z1 new=yes"));
}

// The events of a load that are updates of pods.
std::vector<ingest::TemplatePod> updates_of(const Workload& workload) {
  const std::unique_ptr<Load> load = workload.open({});
  std::vector<ingest::TemplatePod> updates;
  LoadStep step;
  while (load->next(step))
    model::each<ingest::TemplatePod>(
        step.events, [&](const ingest::TemplatePod& pod) { updates.push_back(pod); });
  return updates;
}

TEST(SchedulerPerf, AResizeChangesTheResourcesAlone) {
  const auto update = [](const char* rest) {
    return "  - {opcode: updateAny, count: 2, namespace: a, templatePath: resized-pod.yaml" +
           std::string(rest) + "}\n";
  };
  const std::string pods =
      "  - {opcode: createPods, count: 2, namespace: a, podTemplatePath: indexed-pod.yaml, "
      "templateParams: {cpu: $cpu}}\n";
  const std::string parameters = "    params: {cpu: \"1\"}\n";
  const auto resized =
      updates_of(only(one_case(pods + update(", subresources: [resize]"), parameters)));
  ASSERT_EQ(resized.size(), 2u);
  EXPECT_EQ(resized[1].name, "p1");
  EXPECT_EQ(resized[1].spec->labels, (model::StringMap{{"group", "1"}}));
  EXPECT_EQ(resized[1].labels, (model::StringMap{{"signature", "signature-label-1"}}));
  EXPECT_EQ(resized[1].spec->containers[0].requests[0].second, *model::Quantity::parse("1m"));
  const auto replaced = updates_of(only(one_case(pods + update(""), parameters)));
  ASSERT_EQ(replaced.size(), 2u);
  EXPECT_TRUE(replaced[1].spec->labels.empty());
  EXPECT_TRUE(replaced[1].labels.empty());
  EXPECT_THROW(updates_of(only(one_case(update(", subresources: [resize]")))), Error)
      << "nobody created the pods";
}

// True if each step with pods waits for those before it.
std::vector<bool> waits_of(const std::string& ops) {
  const std::unique_ptr<Load> load = only(one_case(ops)).open({});
  std::vector<bool> waits;
  LoadStep step;
  while (load->next(step))
    if (step.pods.size() != 0) waits.push_back(step.awaits_pods);
  return waits;
}

TEST(SchedulerPerf, OperationsThatWaitForPodsHoldUpTheNextStep) {
  const std::string waits = "  - {opcode: createPods, count: 1}\n";
  const std::string goes_on = "  - {opcode: createPods, count: 1, skipWaitToCompletion: true}\n";
  EXPECT_THAT(waits_of(waits + waits), ElementsAre(false, true));
  EXPECT_THAT(waits_of(goes_on + waits), ElementsAre(false, false));
  EXPECT_THAT(waits_of(goes_on + "  - {opcode: barrier}\n" + waits), ElementsAre(false, true));
  EXPECT_THAT(waits_of(goes_on + "  - {opcode: barrier, stageRequirement: Attempted}\n" + waits),
              ElementsAre(false, false));
}

// The pods that a barrier waits for need the room that deletions make.
TEST(SchedulerPerf, ABarrierLetsDeletionsFinish) {
  const auto lines = played(
      "  - {opcode: createPods, count: 2, namespace: a}\n"
      "  - {opcode: deletePods, namespace: a, deletePodsPerSecond: 10, "
      "skipWaitToCompletion: true}\n"
      "  - {opcode: barrier}\n  - {opcode: createPods, count: 1, namespace: b}\n");
  ASSERT_EQ(lines.size(), 7u);
  EXPECT_EQ(lines[4], "1200ms -pod a/pod-0000001");
  EXPECT_EQ(lines[6], "1200ms pod b/pod-0000002");
}

TEST(SchedulerPerf, ManyPodsComeInSteps) {
  const Workload workload = only(
      one_case("  - {opcode: createPods, countParam: $many}\n", "    params: {many: 10000}\n"));
  const std::unique_ptr<Load> load = workload.open({});
  LoadStep step;
  size_t pods = 0, steps = 0;
  while (load->next(step)) {
    ++steps;
    pods += step.pods.size();
    EXPECT_LE(step.pods.size(), 4096u);
  }
  EXPECT_EQ(pods, 10'000u);
  EXPECT_EQ(steps, 3u);
}

TEST(SchedulerPerf, ParametersAreChecked) {
  const Workload workload =
      only(one_case("  - {opcode: createPods, countParam: $many}\n", "    params: {many: 1}\n"));
  EXPECT_EQ(lines_of(workload, slow({{"many", "2"}})).size(), 3u);
  const auto refusal = [&](const std::string& name, const std::string& value) -> std::string {
    try {
      workload.open(slow({{name, value}}));
    } catch (const UsageError& error) {
      return error.what();
    }
    return "opened";
  };
  EXPECT_THAT(refusal("few", "2"), HasSubstr("has no parameter few; it has many, podsPerSecond"));
  EXPECT_THAT(refusal("many", "two"), HasSubstr("parameter many"));
  EXPECT_THAT(refusal("many", "-1"), HasSubstr("parameter many"));
  EXPECT_THAT(refusal("podsPerSecond", "0"), HasSubstr("podsPerSecond"));
  EXPECT_THAT(refusal("signatureLabels", "no"), HasSubstr("must be true or false"));
}

}  // namespace
}  // namespace berth::loadgen
