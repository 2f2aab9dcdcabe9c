#include "loadgen/generate/generator.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "loadgen/testing.h"

namespace berth::loadgen {
namespace {

constexpr int64_t kOneSecond = 1'000'000'000;

const std::string kCluster =
    "cluster: {nodes: 20, zones: 2, shapes: [{name: small, allocatable: {cpu: 4, memory: 8Gi, "
    "pods: "
    "10}}]}\n";
const std::string kNamedTemplates =
    "templates:\n"
    "- name: web\n"
    "  requests: {cpu: {uniform: {min: 100m, max: 900m}}}\n"
    "  template:\n"
    "    metadata: {labels: {app: OWNER}}\n"
    "    spec:\n"
    "      affinity:\n"
    "        podAntiAffinity:\n"
    "          requiredDuringSchedulingIgnoredDuringExecution:\n"
    "          - {topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: "
    "OWNER}},\n"
    "             matchLabelKeys: [pod-template-hash]}\n"
    "      containers: [{name: c, image: i}]\n";

std::string label(const model::Pod& pod, const std::string& key) {
  for (const auto& [k, v] : pod.spec.labels)
    if (k == key) return v;
  return {};
}

bool selects(const model::SelectorOwner& owner, const ArrivedPod& pod) {
  if (owner.namespace_name != pod.namespace_name) return false;
  for (const auto& [key, value] : owner.selector->match_labels)
    if (label(pod.pod, key) != value) return false;
  return true;
}

Played played(const std::string& text, uint64_t seed = 0) {
  Played all = play_all(head(text), seed);
  EXPECT_EQ(all.broken, std::vector<std::string>());
  return all;
}

TEST(Nodes, HaveTheirPlacesAndShapes) {
  const Played all = played(
      "cluster:\n"
      "  nodes: 1000\n"
      "  zones: [a, b]\n"
      "  racks: 3\n"
      "  images: [{name: x, size: 1Mi, share: 0.25}]\n"
      "  shapes:\n"
      "  - {name: few, count: 5, allocatable: {cpu: 1}, labels: {k: v}}\n"
      "  - {name: small, weight: 3, allocatable: {cpu: 2}, unschedulable: 0.1}\n"
      "  - {name: large, weight: 1, allocatable: {cpu: 8}, taints: [{key: t, effect: "
      "NoSchedule}]}\n");
  std::map<std::string, int> shapes, zones, racks;
  int images = 0, unschedulable = 0;
  for (const model::Node& node : model::objects_of<model::Node>(all.cluster)) {
    const std::map<std::string, std::string> labels(node.labels.begin(), node.labels.end());
    ++shapes[labels.at("node.kubernetes.io/instance-type")];
    ++zones[labels.at("topology.kubernetes.io/zone")];
    ++racks[labels.at("topology.kubernetes.io/rack")];
    EXPECT_EQ(labels.at("kubernetes.io/hostname"), node.name);
    images += !node.images.empty();
    unschedulable += node.unschedulable;
  }
  EXPECT_EQ(shapes["few"], 5);
  EXPECT_NEAR(shapes["small"], 750, 50);
  EXPECT_EQ(shapes["small"] + shapes["large"], 1000);
  EXPECT_EQ(zones["a"], 503);
  EXPECT_EQ(zones["b"], 502);
  EXPECT_EQ(racks.size(), 6u);
  EXPECT_NEAR(images, 250, 50);
  EXPECT_NEAR(unschedulable, 75, 30);
}

TEST(Owners, HavePodsThatTheirSelectorsMatch) {
  const Played all = played(
      kCluster + "namespaces: [{name: a, count: 2}]\n" + kNamedTemplates +
      "owners:\n"
      "- {kind: Deployment, name: web, count: 3, template: web, replicas: 4, service: true}\n"
      "- {kind: StatefulSet, name: db, template: web, replicas: 3, service: true}\n"
      "- {kind: ReplicationController, name: rc, template: web, replicas: 2}\n"
      "- {kind: Job, name: job, template: web, replicas: 2}\n");
  EXPECT_EQ(all.pods.size(), 19u);
  std::map<std::string, int> selected;
  const auto owners = model::objects_of<model::SelectorOwner>(all.cluster);
  for (const model::SelectorOwner& owner : owners)
    for (const ArrivedPod& pod : all.pods) selected[owner.name] += selects(owner, pod);
  int replica_sets = 0;
  for (const model::SelectorOwner& owner : owners) {
    if (owner.kind == model::SelectorOwnerKind::kReplicaSet) {
      ++replica_sets;
      EXPECT_EQ(selected[owner.name], 4);
    }
  }
  EXPECT_EQ(replica_sets, 3);
  EXPECT_EQ(selected["web-0"], 4);
  EXPECT_EQ(selected["db"], 6);  // its Service and itself
  EXPECT_EQ(selected["rc"], 2);
}

TEST(Owners, AreManifestsIfTheRunMakesTheirPods) {
  const Played all = played(
      kCluster + kNamedTemplates +
      "owners:\n"
      "- {kind: Deployment, name: web, count: 2, template: web, replicas: 4, manifest: true}\n"
      "- {kind: Job, name: job, template: web, replicas: 3, manifest: true}\n");
  EXPECT_EQ(all.pods.size(), 0u);
  ASSERT_EQ(all.events.size(), 3u);
  const auto json = [&](size_t i) {
    return std::get<model::ControllerObject>(all.events[i].second.object).json;
  };
  EXPECT_EQ(
      json(1).find(R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web-1",)"
                   R"("namespace":"default"},"spec":{"replicas":4,"selector":{"matchLabels":)"
                   R"({"app":"web-1"}},"template":{"metadata":{"labels":{"app":"web-1"}},)"
                   R"("spec":{)"),
      0u)
      << json(1);
  EXPECT_NE(json(1).find(R"("matchLabelKeys":["pod-template-hash"])"), std::string::npos)
      << json(1);
  EXPECT_EQ(json(2).find(R"({"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"job",)"
                         R"("namespace":"default"},"spec":{"parallelism":3,"completions":3,)"
                         R"("template":{)"),
            0u)
      << json(2);
}

TEST(Owners, APodOfAJobsManifestDoesNotRestart) {
  const Played all =
      played(kCluster + kNamedTemplates +
             "owners:\n"
             "- {kind: Job, name: job, template: web, replicas: 3, manifest: true}\n");
  const auto& json = std::get<model::ControllerObject>(all.events.at(0).second.object).json;
  EXPECT_NE(json.find(R"("spec":{"restartPolicy":"Never",)"), std::string::npos) << json;
}

TEST(Pods, RunForATimeThatIsDrawnForEachVariant) {
  const Played all = played(kCluster +
                            "templates:\n"
                            "- name: task\n"
                            "  variants: 64\n"
                            "  runs: {for: {uniform: {min: 1m, max: 2m}}, fails: 0.25}\n"
                            "  template: {spec: {containers: [{name: main}]}}\n"
                            "arrivals: [{constant: {rate: 100}, pods: 500}]\n");
  ASSERT_EQ(all.pods.size(), 500u);
  constexpr int64_t kMinute = 60'000'000'000;
  std::set<int64_t> times;
  int failures = 0;
  for (const auto& one : all.pods) {
    ASSERT_TRUE(one.pod.spec.run);
    const model::ContainerRun& run = *one.pod.spec.run;
    EXPECT_TRUE(run.nanoseconds >= kMinute && run.nanoseconds <= 2 * kMinute) << run.nanoseconds;
    times.insert(run.nanoseconds);
    failures += run.exit_code;
  }
  EXPECT_GT(times.size(), 40u);
  EXPECT_TRUE(failures > 50 && failures < 200) << failures;
}

TEST(Owners, NamePodsAsKubernetesDoes) {
  const Played all = played(kCluster + kNamedTemplates +
                            "owners:\n"
                            "- {kind: StatefulSet, name: db, template: web, replicas: 2}\n"
                            "- {kind: Deployment, name: web, template: web, replicas: 1}\n"
                            "- {kind: Job, name: job, template: web, replicas: 1}\n");
  ASSERT_EQ(all.pods.size(), 4u);
  EXPECT_EQ(all.pods[1].name, "db-1");
  EXPECT_EQ(label(all.pods[1].pod, "statefulset.kubernetes.io/pod-name"), "db-1");
  EXPECT_EQ(label(all.pods[1].pod, "apps.kubernetes.io/pod-index"), "1");
  const model::Pod& web = all.pods[2].pod;
  const std::string set = "web-" + label(web, "pod-template-hash");
  EXPECT_EQ(web.controller, (model::Controller{"apps/v1", "ReplicaSet", set, ""}));
  EXPECT_EQ(all.pods[2].name.substr(0, set.size() + 1), set + "-");
  EXPECT_EQ(all.pods[2].name.size(), set.size() + 6);
  EXPECT_EQ(label(all.pods[3].pod, "job-name"), "job");
  // OWNER in selectors is replaced, and matchLabelKeys are merged as an API server does it.
  const model::LabelSelector& selector =
      *web.spec.affinity.pod_anti_affinity->required.at(0).label_selector;
  EXPECT_EQ(selector.match_labels, (model::StringMap{{"app", "web"}}));
  ASSERT_EQ(selector.match_expressions.size(), 1u);
  EXPECT_EQ(selector.match_expressions[0].values[0], label(web, "pod-template-hash"));
}

// The time, `measured`, and presence of pods of every step after the scene.
struct When {
  int64_t at;
  bool measured, pods;
};
std::vector<When> timed_steps(const std::string& text) {
  std::vector<When> all;
  LoadStep step;
  for (const auto load = load_of(head(text)); load->next(step);)
    if (!step.is_scene()) all.push_back({step.at.count(), step.measured, step.pods.size() != 0});
  return all;
}

TEST(Measured, StepsOfEventsGoWithThePodsAroundThem) {
  const std::string pods = "rate: 20}, templates: [web], lifetime: 520ms, ";
  size_t alone = 0;
  for (const When& step : timed_steps("tick: 10ms\n" + kCluster + kNamedTemplates +
                                      "arrivals: [{constant: {" + pods + "pods: 100}]\n")) {
    EXPECT_TRUE(step.measured) << step.at;
    alone += !step.pods;
  }
  EXPECT_GT(alone, 10u);
  // Unmeasured arrivals first, then measured ones.
  const std::vector<When> two = timed_steps(
      kCluster + kNamedTemplates + "arrivals:\n- {constant: {" + pods +
      "pods: 40, measured: false}\n" + "- {constant: {" + pods + "pods: 40, start: 5s}\n" +
      "churn: {nodeLabels: [{every: 100ms, key: a, values: [b]}]}\n");
  for (const When& step : two) EXPECT_EQ(step.measured, step.at >= 5 * kOneSecond) << step.at;
}

TEST(Measured, IsADrainWithoutPodsToo) {
  for (const When& step :
       timed_steps(kCluster + kNamedTemplates +
                   "duration: 10s\nchurn: {drains: [{every: 1s, lasting: 2s}]}\n"))
    EXPECT_TRUE(step.measured) << step.at;
}

TEST(Owners, ScaleUpAndDownByTheNewest) {
  const Played all = played(kCluster + "duration: 100s\n" + kNamedTemplates +
                            "owners:\n"
                            "- kind: Deployment\n"
                            "  name: web\n"
                            "  template: web\n"
                            "  replicas: 5\n"
                            "  scale: {every: 1s, replicas: {uniform: {min: 0, max: 10}}}\n");
  EXPECT_LE(all.most_living, 10u);
  EXPECT_GT(all.pods.size(), 100u);
  EXPECT_FALSE(all.pods.front().measured);
  EXPECT_TRUE(all.pods.back().measured);
  std::set<std::string> names;
  for (const ArrivedPod& pod : all.pods) EXPECT_TRUE(names.insert(pod.name).second) << pod.name;
  // The pod that arrived first is deleted last.
  std::vector<std::string> order;
  for (const auto& [at, event] : all.events) {
    EXPECT_EQ(event.operation, model::Operation::kDeleted);
    order.push_back(std::get<ingest::TemplatePod>(event.object).name);
  }
  EXPECT_NE(order.front(), all.pods.front().name);
}

TEST(Owners, OfKindDaemonSetFollowTheirNodes) {
  const Played all = played(
      "cluster:\n"
      "  zones: 2\n"
      "  shapes:\n"
      "  - {name: open, count: 10, allocatable: {cpu: 4}}\n"
      "  - {name: shut, count: 5, allocatable: {cpu: 4}, taints: [{key: t, effect: NoSchedule}]}\n"
      "duration: 60s\n" +
      kNamedTemplates +
      "owners: [{kind: DaemonSet, name: agent, template: web}]\n"
      "churn: {failures: [{every: 5s, lasting: 2s, shapes: [open]}]}\n");
  ASSERT_GE(all.pods.size(), 20u);
  EXPECT_FALSE(all.pods[9].measured);
  EXPECT_TRUE(all.pods[10].measured);
  for (const ArrivedPod& pod : all.pods) {
    const auto& fields = pod.pod.spec.affinity.node_required->terms.at(0).match_fields;
    EXPECT_EQ(fields.at(0).key, "metadata.name");
    EXPECT_LT(fields.at(0).values.at(0), "node-000010");
  }
  // A failing node takes its DaemonSet pod along; a repaired node gets a new one.
  int deleted = 0, added = 0, gone = 0;
  for (const auto& [at, event] : all.events) {
    const bool deletes = event.operation == model::Operation::kDeleted;
    const bool node = std::holds_alternative<model::Node>(event.object);
    deleted += node && deletes;
    added += node && event.operation == model::Operation::kAdded;
    gone += std::holds_alternative<ingest::TemplatePod>(event.object) && deletes;
  }
  EXPECT_EQ(deleted, 12);
  EXPECT_EQ(gone, 12);
  EXPECT_EQ(all.pods.size(), 10u + static_cast<size_t>(added));
}

TEST(Lifetimes, EndPodsNoEarlierThanPlannedAndNotLongAfter) {
  const Played all = played(kCluster + "namespaces: [{name: a, count: 3}]\n" + kNamedTemplates +
                            "tick: 10ms\n"
                            "arrivals: [{constant: {rate: 1000}, pods: 20000, lifetime: {uniform: "
                            "{min: 0s, max: 2s}}}]\n");
  EXPECT_EQ(all.pods.size(), 20'000u);
  EXPECT_NEAR(static_cast<double>(all.most_living), 1'000, 150);
  EXPECT_NEAR(static_cast<double>(all.events.size()), 19'000, 150);
  std::map<std::string, int64_t> came;
  for (const ArrivedPod& pod : all.pods) came[pod.namespace_name + pod.name] = pod.planned;
  for (const auto& [at, event] : all.events) {
    EXPECT_EQ(event.operation, model::Operation::kDeleted);
    const auto& gone = std::get<ingest::TemplatePod>(event.object);
    const int64_t lived = at - came.at(gone.namespace_name + gone.name);
    EXPECT_GE(lived, 0);
    EXPECT_LE(lived, 2 * kOneSecond + 10'000'000);
  }
}

TEST(Jobs, FinishTheirPods) {
  const Played all = played(kCluster + kNamedTemplates +
                            "arrivals:\n"
                            "- bursts: {every: 1s, size: 2}\n"
                            "  pods: 500\n"
                            "  jobs: {pods: {uniform: {min: 1, max: 9}}}\n"
                            "  lifetime: 1s\n");
  EXPECT_EQ(all.pods.size(), 500u);
  std::map<std::string, std::set<std::string>> jobs;
  for (const ArrivedPod& pod : all.pods) {
    const std::string job = label(pod.pod, "batch.kubernetes.io/job-name");
    EXPECT_EQ(pod.pod.controller->name, job);
    EXPECT_TRUE(pod.name.starts_with(job + "-"));
    jobs[job].insert(pod.name);
  }
  EXPECT_NEAR(static_cast<double>(jobs.size()), 100, 25);
  ASSERT_FALSE(all.events.empty());
  EXPECT_TRUE(std::get<ingest::TemplatePod>(all.events.front().second.object).finished());
}

TEST(Variants, AreHowManyDrawsATemplateHas) {
  const Played all = played(kCluster + kNamedTemplates + "arrivals: [{atOnce: {}, pods: 5000}]\n");
  std::set<std::string> amounts;
  for (const ArrivedPod& pod : all.pods)
    amounts.insert(pod.pod.spec.containers[0].requests[0].second.to_string());
  EXPECT_GT(amounts.size(), 20u);
  EXPECT_LE(amounts.size(), 32u);
}

TEST(Placed, PodsFitTheirNodes) {
  const Played all =
      played(kCluster + kNamedTemplates + "placed: [{templates: [web], perNode: 50}]\n");
  std::map<std::string, int> pods;
  std::map<std::string, int64_t> cpu;
  for (const ingest::TemplatePod& pod : model::objects_of<ingest::TemplatePod>(all.cluster)) {
    ++pods[pod.node_name];
    cpu[pod.node_name] += pod.spec->containers[0].requests[0].second.milli_value();
  }
  EXPECT_EQ(pods.size(), 20u);
  for (const auto& [node, count] : pods) {
    EXPECT_LE(count, 10);
    EXPECT_LE(cpu[node], 4000);
    EXPECT_GE(count, 4);
  }
}

TEST(Churn, OfNodesIsUndone) {
  const Played all = played(kCluster + kNamedTemplates +
                            "duration: 100s\n"
                            "churn:\n"
                            "  failures: [{every: 3s, lasting: 1s}]\n"
                            "  drains: [{every: 2s, lasting: 1s}]\n"
                            "  nodeLabels: [{every: 1s, key: gen, values: [a, b]}]\n");
  EXPECT_EQ(all.drained.size(), 50u);
  std::map<std::string, bool> shut;
  int drains = 0;
  for (const auto& [at, event] : all.events) {
    if (event.operation != model::Operation::kModified) continue;
    const auto& node = std::get<model::Node>(event.object);
    EXPECT_EQ(node.unschedulable, !node.taints.empty());
    if (node.unschedulable != shut[node.name]) ++drains;
    shut[node.name] = node.unschedulable;
  }
  EXPECT_NEAR(drains, 100, 2);
}

TEST(Churn, OfNamespacesComesAndGoes) {
  const Played all = played(kCluster + kNamedTemplates +
                            "namespaces: [{name: a, count: 5, labels: {x: w}}]\n"
                            "duration: 30s\n"
                            "churn:\n"
                            "  namespaces: [{every: 1s, lasting: 3s}]\n"
                            "  namespaceLabels: [{every: 1s, key: x, values: [z]}]\n");
  int added = 0, deleted = 0, updated = 0;
  for (const auto& [at, event] : all.events) {
    if (!std::holds_alternative<model::Namespace>(event.object)) continue;
    added += event.operation == model::Operation::kAdded;
    deleted += event.operation == model::Operation::kDeleted;
    updated += event.operation == model::Operation::kModified;
  }
  EXPECT_EQ(added, 30);
  EXPECT_EQ(deleted, 27);
  EXPECT_EQ(updated, 30);
}

TEST(Seeds, MakeTheDifference) {
  const std::string text =
      head(kCluster + kNamedTemplates + "arrivals: [{poisson: {rate: 9}, pods: 99}]\n");
  EXPECT_TRUE(stream_of(*load_of(text, 1)) == stream_of(*load_of(text, 1)));
  EXPECT_FALSE(stream_of(*load_of(text, 1)) == stream_of(*load_of(text, 2)));
}

}  // namespace
}  // namespace berth::loadgen
