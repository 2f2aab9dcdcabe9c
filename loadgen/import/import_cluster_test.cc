#include "loadgen/import/import_cluster.h"

#include <gmock/gmock.h>

#include "loadgen/import/cluster_copies.h"
#include "loadgen/import/testing.h"

namespace berth::loadgen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_imports::lines_of;

constexpr char kCluster[] = R"yaml(
apiVersion: v1
kind: List
items:
- {kind: Node, metadata: {name: a, labels: {kubernetes.io/hostname: host-a, topology.kubernetes.io/zone: z, own: a}}, status: {allocatable: {cpu: "4", pods: "10"}}}
- {kind: Node, metadata: {name: b, labels: {kubernetes.io/hostname: b}}, status: {allocatable: {cpu: "4", pods: "10"}}}
- {kind: Namespace, metadata: {name: web, labels: {team: red}}}
- {kind: Service, apiVersion: v1, metadata: {name: web, namespace: web}, spec: {selector: {app: web}}}
- {kind: PodDisruptionBudget, apiVersion: policy/v1, metadata: {name: some, namespace: web}, spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}, status: {disruptionsAllowed: 1}}
- kind: Pod
  metadata: {name: web-0, namespace: web, uid: u0, labels: {app: web, statefulset.kubernetes.io/pod-name: web-0}, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: web, uid: s0, controller: true}]}
  spec: {nodeName: a, containers: [{name: c, image: i}]}
  status: {phase: Running}
- kind: Pod
  metadata: {name: web-1, namespace: web, uid: u1, labels: {app: web, statefulset.kubernetes.io/pod-name: web-1}, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: web, uid: s0, controller: true}]}
  spec: {containers: [{name: c, image: i}]}
  status: {phase: Pending}
- {kind: Pod, metadata: {name: etcd-a, namespace: kube-system, ownerReferences: [{apiVersion: v1, kind: Node, name: a, uid: n0, controller: true}]}, spec: {nodeName: a, containers: [{name: c}]}}
- {kind: Pod, metadata: {name: done, namespace: web}, spec: {nodeName: a, containers: [{name: c}]}, status: {phase: Succeeded}}
- {kind: Pod, metadata: {name: going, namespace: web, deletionTimestamp: "2026-01-01T00:00:00Z"}, spec: {containers: [{name: c}]}}
- kind: Pod
  metadata: {name: picky, namespace: web}
  spec:
    containers: [{name: c}]
    nodeSelector: {kubernetes.io/hostname: host-a, disk: ssd}
    affinity:
      nodeAffinity:
        requiredDuringSchedulingIgnoredDuringExecution:
          nodeSelectorTerms:
          - matchFields: [{key: metadata.name, operator: In, values: [b]}]
            matchExpressions: [{key: topology.kubernetes.io/zone, operator: NotIn, values: [z]}, {key: kubernetes.io/hostname, operator: In, values: [b, other]}]
        preferredDuringSchedulingIgnoredDuringExecution:
        - {weight: 1, preference: {matchExpressions: [{key: own, operator: In, values: [a]}]}}
      podAntiAffinity:
        requiredDuringSchedulingIgnoredDuringExecution:
        - {topologyKey: kubernetes.io/hostname, namespaces: [web, other], labelSelector: {matchLabels: {app: web}}}
        - {topologyKey: kubernetes.io/hostname, namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: In, values: [web]}]}, labelSelector: {}}
      podAffinity:
        preferredDuringSchedulingIgnoredDuringExecution:
        - {weight: 2, podAffinityTerm: {topologyKey: kubernetes.io/hostname, namespaceSelector: {}, labelSelector: {}}}
)yaml";

Workload cluster(const std::string& text = kCluster) {
  Diagnostics diagnostics;
  const document::Document document =
      document::Document::parse(text, "dumps/prod.yaml", diagnostics);
  EXPECT_TRUE(is_cluster(document));
  std::vector<Workload> workloads = import_cluster(document, "dumps/prod.yaml", diagnostics);
  for (const Error& error : diagnostics.kept()) ADD_FAILURE() << error.what();
  return workloads.empty() ? Workload() : workloads.front();
}

LoadSettings with(std::map<std::string, std::string> parameters) {
  LoadSettings settings;
  settings.parameters = std::move(parameters);
  return settings;
}

TEST(ImportCluster, IsTheClusterAndItsPendingPods) {
  const Workload workload = cluster();
  EXPECT_EQ(workload.name, "prod");
  EXPECT_EQ(
      workload.description,
      "a cluster of 2 nodes, with 2 running pods and 2 waiting pods; 2 finished or about to go "
      "are left out");
  EXPECT_THAT(
      lines_of(workload),
      ElementsAre("0ms namespace web kubernetes.io/metadata.name=web team=red", "0ms owner web/web",
                  "0ms budget web/some allows 1 app=web",
                  "0ms node a kubernetes.io/hostname=host-a own=a topology.kubernetes.io/zone=z",
                  "0ms node b kubernetes.io/hostname=b",
                  "0ms placed web/web-0 on a app=web statefulset.kubernetes.io/pod-name=web-0",
                  "0ms placed kube-system/etcd-a on a",
                  "0ms measured pod web/web-1 app=web statefulset.kubernetes.io/pod-name=web-1",
                  "0ms measured pod web/picky"));
}

TEST(ImportCluster, CopiesHaveNamesOfTheirOwn) {
  const std::vector<std::string> lines = lines_of(cluster(), with({{"copies", "2"}}));
  EXPECT_THAT(
      lines,
      ElementsAre(
          "0ms namespace web berth.dev/copy=0 kubernetes.io/metadata.name=web team=red",
          "0ms namespace kube-system berth.dev/copy=0 kubernetes.io/metadata.name=kube-system",
          "0ms namespace web-c1 berth.dev/copy=1 kubernetes.io/metadata.name=web-c1 team=red",
          "0ms namespace kube-system-c1 berth.dev/copy=1 "
          "kubernetes.io/metadata.name=kube-system-c1",
          "0ms owner web/web", "0ms owner web-c1/web", "0ms budget web/some allows 1 app=web",
          "0ms budget web-c1/some allows 1 app=web",
          "0ms node a kubernetes.io/hostname=host-a own=a topology.kubernetes.io/zone=z",
          "0ms node b kubernetes.io/hostname=b",
          "0ms node a-c1 kubernetes.io/hostname=host-a-c1 own=a-c1 topology.kubernetes.io/zone=z",
          "0ms node b-c1 kubernetes.io/hostname=b-c1",
          "0ms placed web/web-0 on a app=web statefulset.kubernetes.io/pod-name=web-0",
          "0ms placed kube-system/etcd-a on a",
          "0ms placed web-c1/web-0 on a-c1 app=web statefulset.kubernetes.io/pod-name=web-0",
          "0ms placed kube-system-c1/etcd-a on a-c1",
          "0ms measured pod web/web-1 app=web statefulset.kubernetes.io/pod-name=web-1",
          "0ms measured pod web/picky",
          "0ms measured pod web-c1/web-1 app=web statefulset.kubernetes.io/pod-name=web-1",
          "0ms measured pod web-c1/picky"));
}

std::shared_ptr<const ingest::Objects> objects_of(const std::string& text) {
  Diagnostics diagnostics;
  const document::Document document = document::Document::parse(text, "c.yaml", diagnostics);
  ingest::ObjectReader reader(diagnostics);
  for (document::Value root : document.roots()) reader.add(root);
  EXPECT_EQ(diagnostics.count(), 0u);
  return std::make_shared<const ingest::Objects>(reader.take());
}

TEST(ImportCluster, WhatRefersToNamesFollows) {
  const auto objects = objects_of(kCluster);
  const ClusterCopies copies(objects, 3);
  const model::Pod pod = copies.pod(5, 2);
  ASSERT_EQ(pod.name, "picky");
  EXPECT_EQ(pod.namespace_name, "web-c2");
  EXPECT_EQ(pod.spec.node_selector,
            (model::StringMap{{"disk", "ssd"}, {"kubernetes.io/hostname", "host-a-c2"}}));
  const model::Affinity& affinity = pod.spec.affinity;
  const model::NodeSelectorTerm& term = affinity.node_required->terms.at(0);
  EXPECT_THAT(term.match_fields.at(0).values, ElementsAre("b-c2"));
  EXPECT_THAT(term.match_expressions.at(0).values, ElementsAre("z"));
  EXPECT_THAT(term.match_expressions.at(1).values, ElementsAre("b-c2", "other"));
  EXPECT_THAT(affinity.node_preferred.at(0).preference.match_expressions.at(0).values,
              ElementsAre("a-c2"));
  const auto& anti = affinity.pod_anti_affinity->required;
  EXPECT_THAT(anti.at(0).namespaces, ElementsAre("web-c2", "other-c2"));
  EXPECT_EQ(anti.at(0).namespace_selector, std::nullopt);
  EXPECT_THAT(anti.at(1).namespace_selector->match_expressions.at(0).values, ElementsAre("web-c2"));
  EXPECT_EQ(anti.at(1).namespace_selector->match_labels,
            (model::StringMap{{ClusterCopies::kCopyLabel, "2"}}));
  EXPECT_EQ(affinity.pod_affinity->preferred.at(0).term.namespace_selector->match_labels,
            (model::StringMap{{ClusterCopies::kCopyLabel, "2"}}));
  const model::Pod placed = copies.pod(0, 1);
  EXPECT_EQ(placed.uid, "u0-c1");
  EXPECT_EQ(placed.controller->uid, "s0-c1");
  EXPECT_EQ(placed.controller->name, "web");
  EXPECT_EQ(copies.pod(2, 1).controller->name, "a-c1");
}

// A node's annotation can name controllers whose pods it avoids.
TEST(ImportCluster, AvoidedControllersFollow) {
  const std::string text = R"yaml(
kind: List
items:
- kind: Node
  metadata:
    name: a
    annotations:
      note: "{\"uid\": \"s0\"}"
      scheduler.alpha.kubernetes.io/preferAvoidPods: |
        {"preferAvoidPods": [
          {"podSignature": {"podController": {"kind": "ReplicaSet", "name": "web", "uid": "s0", "controller": true}}, "reason": "some \"uid\""},
          {"podSignature": {"podController": {"kind": "ReplicationController", "uid": "s1"}}}]}
- kind: Node
  metadata: {name: b, annotations: {scheduler.alpha.kubernetes.io/preferAvoidPods: "no JSON"}}
)yaml";
  const ClusterCopies copies(objects_of(text), 2);
  const auto annotations = [&](uint64_t copy) { return copies.node(0, copy).annotations; };
  EXPECT_EQ(annotations(0), std::get<model::Node>(objects_of(text)->others[0].object).annotations);
  ASSERT_EQ(annotations(1).size(), 2u);
  EXPECT_EQ(annotations(1)[0], annotations(0)[0]);
  EXPECT_EQ(annotations(1)[1].second,
            R"({"preferAvoidPods":[{"podSignature":{"podController":{"kind":"ReplicaSet",)"
            R"("name":"web","uid":"s0-c1","controller":true}},"reason":"some \"uid\""},)"
            R"({"podSignature":{"podController":{"kind":"ReplicationController",)"
            R"("uid":"s1-c1"}}}]})");
  EXPECT_EQ(copies.node(1, 1).annotations, copies.node(1, 0).annotations);
}

TEST(ImportCluster, OneCopyIsTheClusterItself) {
  const auto objects = objects_of(kCluster);
  const ClusterCopies copies(objects, 1);
  for (size_t i = 0; i < copies.pods(); ++i) {
    EXPECT_EQ(copies.pod(i, 0).spec, objects->pods[i].spec);
    EXPECT_EQ(copies.pod(i, 0).namespace_name, objects->pods[i].namespace_name);
  }
  EXPECT_EQ(copies.namespaces(), 1u);
}

TEST(ImportCluster, NewNamesAreNeverOldOnes) {
  const std::string text =
      "kind: List\nitems:\n"
      "- {kind: Node, metadata: {name: a}, status: {}}\n"
      "- {kind: Node, metadata: {name: a-c1}, status: {}}\n";
  const ClusterCopies copies(objects_of(text), 2);
  EXPECT_EQ(copies.node(0, 1).name, "a-cc1");
  EXPECT_EQ(copies.node(1, 1).name, "a-c1-cc1");
}

TEST(ImportCluster, RescheduledPodsAreNew) {
  EXPECT_THAT(lines_of(cluster(), with({{"reschedule", "true"}})),
              testing::IsSupersetOf({HasSubstr("0ms placed kube-system/etcd-a on a"),
                                     HasSubstr("0ms measured pod web/web-0 app=web"),
                                     HasSubstr("0ms measured pod web/web-1"),
                                     HasSubstr("0ms measured pod web/picky")}));
  LoadStep step;
  const std::unique_ptr<Load> load = cluster().open(with({{"reschedule", "true"}}));
  while (load->next(step) && step.pods.size() == 0) {
  }
  ASSERT_EQ(step.pods.size(), 3u);
  EXPECT_EQ(step.pods.uids.at(0), "u0");
  EXPECT_EQ(step.pods.controller_of(0)->name, "web");
  EXPECT_EQ(step.pods.template_ids[0], step.pods.template_ids[1])
      << "labels are no part of templates";
  EXPECT_NE(step.pods.template_ids[0], step.pods.template_ids[2]);
}

TEST(ImportCluster, ManyCopiesComeInSteps) {
  const std::unique_ptr<Load> load = cluster().open(with({{"copies", "5000"}}));
  LoadStep step;
  uint64_t nodes = 0, placed = 0, pods = 0;
  while (load->next(step)) {
    nodes += model::objects_of<model::Node>(step.cluster).size();
    placed += model::objects_of<ingest::TemplatePod>(step.cluster).size();
    pods += step.pods.size();
    EXPECT_LE(step.cluster.size() + step.pods.size(), 4096u);
  }
  EXPECT_EQ(nodes, 10'000u);
  EXPECT_EQ(placed, 10'000u);
  EXPECT_EQ(pods, 10'000u);
}

TEST(ImportCluster, SettingsAreChecked) {
  const Workload workload = cluster();
  EXPECT_THROW(workload.open(with({{"copies", "0"}})), UsageError);
  EXPECT_THROW(workload.open(with({{"copies", "many"}})), UsageError);
  EXPECT_THROW(workload.open(with({{"reschedule", "1"}})), UsageError);
  EXPECT_THROW(workload.open(with({{"nodes", "1"}})), UsageError);
}

TEST(ImportCluster, WhatIsWrongIsNamedAndTheRestStays) {
  Diagnostics diagnostics;
  const document::Document document = document::Document::parse(
      "kind: List\nitems:\n- {kind: Node, metadata: {name: a}, status: {allocatable: {cpu: x}}}\n"
      "- {kind: Node, metadata: {name: b}, status: {}}\n",
      "c.yaml", diagnostics);
  const std::vector<Workload> workloads = import_cluster(document, "c.yaml", diagnostics);
  ASSERT_EQ(workloads.size(), 1u);
  EXPECT_EQ(lines_of(workloads[0]).size(), 1u);
  EXPECT_EQ(workloads[0].faults, 1u);
  ASSERT_EQ(diagnostics.count(), 1u);
  EXPECT_THAT(diagnostics.kept()[0].what(), HasSubstr("c.yaml:3:"));

  const document::Document empty =
      document::Document::parse("kind: PodList\nitems: []\n", "p.yaml", diagnostics);
  EXPECT_TRUE(is_cluster(empty));
  EXPECT_TRUE(import_cluster(empty, "p.yaml", diagnostics).empty());
  EXPECT_THAT(diagnostics.kept().back().what(), HasSubstr("there is no node in it"));
  EXPECT_FALSE(is_cluster(document::Document::parse("kind: Workload\n", "w.yaml", diagnostics)));
}

TEST(ImportCluster, SaysThatCronJobsAreNotRun) {
  const Workload workload = cluster(
      "kind: Node\nmetadata: {name: a}\n---\napiVersion: batch/v1\nkind: CronJob\n"
      "metadata: {name: nightly}\n");
  EXPECT_EQ(workload.faults, 0u);
  EXPECT_THAT(workload.open(with({}))->note(),
              HasSubstr("; not run: 1 CronJob, which begins jobs at times of day, such as "
                        "default/nightly"));
  EXPECT_THAT(cluster().open(with({}))->note(), testing::Not(HasSubstr("not run")));
}

// Each copy has claims and volumes of its own, and all have the classes.
TEST(ImportCluster, TakesStorageAlong) {
  const std::string text =
      "kind: List\nitems:\n"
      "- {kind: Node, metadata: {name: a, labels: {kubernetes.io/hostname: a}}}\n"
      "- {kind: StorageClass, metadata: {name: fast}, provisioner: p}\n"
      "- {kind: CSINode, metadata: {name: a}, spec: {drivers: []}}\n"
      "- {kind: PersistentVolume, metadata: {name: v}, spec: {claimRef: {namespace: web, name: d, "
      "uid: u}, csi: {driver: p, volumeHandle: h}, nodeAffinity: {required: {nodeSelectorTerms: "
      "[{matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [a]}]}]}}}}\n"
      "- {kind: PersistentVolumeClaim, metadata: {name: d, namespace: web, uid: u}, spec: "
      "{volumeName: v}}\n"
      "- {kind: Pod, metadata: {name: db, namespace: web}, spec: {containers: [{name: c}], "
      "volumes: [{name: data, persistentVolumeClaim: {claimName: d}}, {name: disk, iscsi: {iqn: "
      "i}}]}}\n";
  const std::vector<std::string> lines = lines_of(cluster(text), with({{"copies", "2"}}));
  std::string storage;
  for (const std::string& line : lines)
    if (line.find("{\"apiVersion\"") != line.npos) storage += line + "\n";
  EXPECT_EQ(
      storage,
      R"x(0ms {"apiVersion":"storage.k8s.io/v1","kind":"StorageClass","metadata":{"name":"fast"},"provisioner":"p","volumeBindingMode":"Immediate"}
0ms {"apiVersion":"storage.k8s.io/v1","kind":"CSINode","metadata":{"name":"a"},"spec":{"drivers":[]}}
0ms {"apiVersion":"v1","kind":"PersistentVolume","metadata":{"name":"v"},"spec":{"capacity":{"storage":"0"},"claimRef":{"namespace":"web","name":"d","uid":"u"},"nodeAffinity":{"required":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"kubernetes.io/hostname","operator":"In","values":["a"]}]}]}},"csi":{"driver":"p","volumeHandle":"h"}}}
0ms {"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"namespace":"web","name":"d","uid":"u"},"spec":{"volumeName":"v"}}
0ms {"apiVersion":"storage.k8s.io/v1","kind":"CSINode","metadata":{"name":"a-c1"},"spec":{"drivers":[]}}
0ms {"apiVersion":"v1","kind":"PersistentVolume","metadata":{"name":"v-c1"},"spec":{"capacity":{"storage":"0"},"claimRef":{"namespace":"web-c1","name":"d","uid":"u-c1"},"nodeAffinity":{"required":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"kubernetes.io/hostname","operator":"In","values":["a-c1"]}]}]}},"csi":{"driver":"p","volumeHandle":"h-c1"}}}
0ms {"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"namespace":"web-c1","name":"d","uid":"u-c1"},"spec":{"volumeName":"v-c1"}}
)x");
  const ClusterCopies copies(objects_of(text), 2);
  EXPECT_EQ(copies.pod(0, 1).spec.volumes.at(0).claim, "d");
  EXPECT_EQ(copies.pod(0, 0).spec.volumes.at(1).disks.at(0), "iscsi\ni");
  EXPECT_EQ(copies.pod(0, 1).spec.volumes.at(1).disks.at(0), "iscsi\ni-c1");
}

// kubectl lists nodes and pods at different moments, and clusters use features that are not built.
TEST(ImportCluster, NamesPodsOfLostNodesAndWhatIsNotLookedAt) {
  Diagnostics diagnostics;
  const document::Document document = document::Document::parse(
      "kind: List\nitems:\n"
      "- {kind: Node, metadata: {name: a}, status: {allocatable: {cpu: 4, pods: 10}}}\n"
      "- {kind: Pod, metadata: {name: lost, namespace: web}, spec: {nodeName: b, containers: "
      "[{name: "
      "c}]}, status: {phase: Running}}\n"
      "- {kind: Pod, metadata: {name: db, namespace: web}, spec: {containers: [{name: c}], "
      "volumes: "
      "[{name: data, persistentVolumeClaim: {claimName: data}}]}}\n"
      "- {kind: Pod, metadata: {name: plain, namespace: web}, spec: {containers: [{name: c}], "
      "volumes: [{name: tmp, emptyDir: {}}]}}\n"
      "- {kind: Pod, metadata: {name: gpu, namespace: web}, spec: {containers: [{name: c}], "
      "resourceClaims: [{name: gpu, resourceClaimName: gpu}]}}\n",
      "c.yaml", diagnostics);
  const std::vector<Workload> workloads = import_cluster(document, "c.yaml", diagnostics);
  std::vector<std::string> said;
  for (const Error& error : diagnostics.kept()) said.emplace_back(error.what());
  EXPECT_THAT(said,
              ElementsAre("c.yaml: web/lost: runs on node \"b\", which is not in the file: the pod "
                          "is left out",
                          "c.yaml: 1 pods have resource claims, which are not built: they are "
                          "scheduled as though they had none"));
  ASSERT_EQ(workloads.size(), 1u);
  EXPECT_THAT(lines_of(workloads[0]),
              ElementsAre("0ms node a", "0ms measured pod web/db", "0ms measured pod web/plain",
                          "0ms measured pod web/gpu"));
}

}  // namespace
}  // namespace berth::loadgen
