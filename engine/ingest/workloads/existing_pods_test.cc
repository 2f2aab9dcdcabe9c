#include "engine/ingest/workloads/existing_pods.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "engine/ingest/objects/objects_for_tests.h"
#include "engine/ingest/workloads/creation.h"

namespace berth::ingest {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;

// The pods that a text makes beside a cluster, which may be the same text.
class Reapplied {
 public:
  Reapplied(const std::string& cluster, const std::string& text) {
    Objects there = read(cluster, Workloads::kOwners);
    Creation creation([&] { return model::objects_of<model::Node>(there.others); }, false);
    creation.add_cluster(there);
    Objects objects = read(text, Workloads::kManifests);
    const size_t before = objects.pods.size();
    creation.create(objects, "file", diagnostics_);
    EXPECT_EQ(messages(diagnostics_), Texts());
    remarks = objects.remarks;
    all = objects.pods.size() - before;
    model::each<model::SelectorOwner>(objects.others, [&](const auto& owner) {
      owners.push_back(owner.name + " " + pairs(owner.selector->match_labels));
    });
    pods = std::move(objects.pods);
  }

  Texts names() const {
    Texts names;
    for (const model::Pod& pod : pods)
      if (!pod.bound()) names.push_back(pod.name);
    return names;
  }
  uint64_t existing() const { return remarks.existing.pods; }
  uint64_t surplus() const { return remarks.surplus.pods; }

  size_t all = 0;  // that were made
  std::vector<model::Pod> pods;
  Texts owners;
  Remarks remarks;

 private:
  Objects read(const std::string& text, Workloads workloads) {
    ObjectReader reader(diagnostics_, Defaults::kApiServer, workloads);
    const document::Document document = document::Document::parse(text, "file", diagnostics_);
    for (document::Value root : document.roots()) reader.add(root);
    return reader.take();
  }

  Diagnostics diagnostics_;
};

std::string manifest(const std::string& kind, const std::string& spec,
                     const std::string& more = "") {
  return "{apiVersion: " + std::string(kind == "Job" ? "batch/v1" : "apps/v1") + ", kind: " + kind +
         ", metadata: {name: web}, spec: {" + spec +
         (kind == "Job" ? "" : ", selector: {matchLabels: {app: web}}") +
         ", template: {metadata: {labels: {app: web}}, spec: {" +
         (kind == "Job" ? "restartPolicy: Never, " : "") + "containers: [{name: a}]}}}" + more +
         "}\n---\n";
}
std::string owned(const std::string& name, const std::string& kind, const std::string& owner,
                  const std::string& labels = "", const std::string& more = "",
                  const std::string& status = "phase: Running") {
  return "{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", uid: " + name +
         ", labels: {app: web, " + labels +
         "}, ownerReferences: [{apiVersion: " + (kind == "Job" ? "batch/v1" : "apps/v1") +
         ", kind: " + kind + ", name: " + owner + ", uid: u, controller: true}]" + more +
         "}, spec: {nodeName: n1, containers: [{name: a}]}, status: {" + status + "}}\n---\n";
}
std::string of_set(const std::string& name, const std::string& hash, const std::string& more = "",
                   const std::string& status = "phase: Running") {
  return owned(name, "ReplicaSet", "web-" + hash, "pod-template-hash: " + hash, more, status);
}

TEST(ExistingPods, OfADeploymentAreThoseOfItsReplicaSetWhichGetsTheMissingOnes) {
  const std::string two = of_set("web-abc-1", "abc") + of_set("web-abc-2", "abc");
  const Reapplied made(two, manifest("Deployment", "replicas: 3"));
  ASSERT_THAT(made.names(), ElementsAre(MatchesRegex("web-abc-.....")));
  EXPECT_EQ(made.pods[0].controller->name, "web-abc");
  EXPECT_EQ(made.pods[0].controller->uid, "u");
  EXPECT_EQ(pairs(made.pods[0].spec.labels), "app=web pod-template-hash=abc");
  EXPECT_EQ(made.existing(), 2u);
  EXPECT_THAT(made.remarks.existing.examples, ElementsAre("Deployment default/web"));
  EXPECT_EQ(Reapplied("", two + manifest("Deployment", "replicas: 3")).all, 1u) << "in one file";
  const std::string selects = "web-abc app=web pod-template-hash=abc";
  EXPECT_THAT(made.owners, ElementsAre(selects));
  const std::string set =
      "{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: web-abc, uid: u, ownerReferences: "
      "[{apiVersion: apps/v1, kind: Deployment, name: web, controller: true}]}, spec: {selector: "
      "{matchLabels: {app: web, pod-template-hash: abc}}}}\n---\n";
  EXPECT_THAT(Reapplied(two + set, manifest("Deployment", "replicas: 3")).owners, IsEmpty());
  EXPECT_THAT(Reapplied("", manifest("Deployment", "replicas: 3") + two + set).owners,
              ElementsAre(selects));
  EXPECT_EQ(Reapplied(two, manifest("Deployment", "replicas: 2")).all, 0u);
  EXPECT_EQ(Reapplied(two, manifest("Deployment", "replicas: 1")).surplus(), 1u);
}

TEST(ExistingPods, OfAReplicaSetWithoutItsDeploymentAreNotMade) {
  const auto set = [](const std::string& replicas) {
    return "{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: web-abc, uid: u, "
           "ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, controller: "
           "true}]}, "
           "spec: {" +
           replicas + " selector: {matchLabels: {app: web}}}}\n---\n";
  };
  const std::string one = of_set("web-abc-1", "abc");
  const std::string gone = of_set("web-abc-2", "abc", "", "phase: Failed");
  const Reapplied made("", one + gone + set("replicas: 3,"));
  EXPECT_EQ(made.all, 0u);
  EXPECT_EQ(made.remarks.missing.pods, 2u);
  EXPECT_THAT(made.remarks.missing.examples, ElementsAre("ReplicaSet default/web-abc"));
  EXPECT_EQ(Reapplied(one, set("replicas: 3,")).remarks.missing.pods, 2u) << "of the cluster";
  EXPECT_EQ(Reapplied("", set("")).remarks.missing.pods, 1u);
  EXPECT_EQ(Reapplied("", one + set("replicas: 1,")).remarks.missing.pods, 0u);
  EXPECT_EQ(Reapplied("", set("replicas: 0,")).remarks.missing.pods, 0u);
  EXPECT_EQ(Reapplied("", set("replicas: 3,") + manifest("Deployment", "replicas: 3"))
                .remarks.missing.pods,
            0u);
  EXPECT_EQ(Reapplied(set("replicas: 3,"), "").remarks.missing.pods, 0u) << "creates nothing";
}

TEST(ExistingPods, AreTheActiveOnes) {
  const std::string gone =
      of_set("web-abc-1", "abc", "", "phase: Failed") +
      of_set("web-abc-2", "abc", "", "phase: Succeeded") +
      of_set("web-abc-3", "abc", ", deletionTimestamp: '2024-01-01T00:00:00Z'");
  EXPECT_EQ(Reapplied(gone, manifest("Deployment", "replicas: 3")).all, 3u);
  const std::string other =
      owned("other1", "ReplicaSet", "web-abc-5") + owned("other2", "Job", "web");
  EXPECT_EQ(Reapplied(other, manifest("Deployment", "replicas: 3")).existing(), 0u);
}

TEST(ExistingPods, LeaveTheirNames) {
  const Texts first = Reapplied("", manifest("ReplicaSet", "replicas: 3")).names();
  const std::string last = owned(first[2], "ReplicaSet", "web");
  Texts names = Reapplied(last, manifest("ReplicaSet", "replicas: 3")).names();
  ASSERT_EQ(names.size(), 2u);
  names.push_back(first[2]);
  std::ranges::sort(names);
  EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
}

TEST(ExistingPods, OfAnEarlierTemplateLeaveARolloutItsFirstStep) {
  const std::string rest = "replicas: 4, strategy: {rollingUpdate: {maxSurge: ";
  const std::string mixed = of_set("a", "abc", ", creationTimestamp: '2024-01-01T00:00:00Z'") +
                            of_set("b", "abc", ", creationTimestamp: '2024-01-01T00:00:00Z'") +
                            of_set("c", "abc", ", creationTimestamp: '2024-01-01T00:00:00Z'") +
                            of_set("d", "xyz", ", creationTimestamp: '2024-01-02T00:00:00Z'");
  const Reapplied made(mixed, manifest("Deployment", rest + "2}}"));
  ASSERT_EQ(made.all, 2u) << "there may be six pods in all";
  EXPECT_EQ(made.pods[0].controller->name, "web-xyz");
  EXPECT_EQ(made.existing(), 1u);
  EXPECT_EQ(made.remarks.earlier.pods, 3u);
  EXPECT_EQ(Reapplied(mixed, manifest("Deployment", rest + "50%}}")).all, 2u);
  EXPECT_EQ(Reapplied(mixed, manifest("Deployment", "replicas: 4")).all, 1u);
  EXPECT_EQ(Reapplied(mixed, manifest("Deployment", "replicas: 4, strategy: {type: Recreate}")).all,
            0u);
}

TEST(ExistingPods, ThatWereMadeHereSayWhetherTheTemplateIsTheirs) {
  Diagnostics diagnostics;
  Creation creation([] { return std::vector<model::Node>(); }, false);
  const auto apply = [&](const std::string& text) {
    ObjectReader reader(diagnostics, Defaults::kApiServer, Workloads::kManifests);
    const document::Document document = document::Document::parse(text, "file", diagnostics);
    reader.add(document.roots()[0]);
    Objects objects = reader.take();
    creation.create(objects, "file", diagnostics);
    return objects;
  };
  const std::string first = manifest("Deployment", "replicas: 4");
  EXPECT_EQ(apply(first).pods.size(), 4u);
  EXPECT_EQ(apply(first).pods.size(), 0u);
  std::string changed = first;
  changed.replace(changed.find("name: a}"), 7, "name: b");
  const Objects next = apply(changed);
  EXPECT_EQ(next.pods.size(), 1u) << "a quarter beside the four";
  EXPECT_EQ(next.remarks.earlier.pods, 4u);
  EXPECT_EQ(next.remarks.existing.pods, 0u);
  EXPECT_EQ(messages(diagnostics), Texts());
}

TEST(ExistingPods, OfAStatefulSetHaveItsOrdinals) {
  const std::string there = owned("web-1", "StatefulSet", "web") +
                            owned("web-2", "StatefulSet", "web", "", "", "phase: Failed") +
                            owned("web-7", "StatefulSet", "web");
  const Reapplied made(there, manifest("StatefulSet", "replicas: 3"));
  EXPECT_THAT(made.names(), ElementsAre("web-0", "web-2"));
  EXPECT_EQ(made.existing(), 1u);
  EXPECT_EQ(made.surplus(), 1u);
}

TEST(ExistingPods, OfADaemonSetServeTheirNodes) {
  const std::string nodes =
      "{apiVersion: v1, kind: Node, metadata: {name: n1}}\n---\n"
      "{apiVersion: v1, kind: Node, metadata: {name: n2}}\n---\n"
      "{apiVersion: v1, kind: Node, metadata: {name: n3}}\n---\n";
  const std::string waits = R"(
{apiVersion: v1, kind: Pod, metadata: {name: w, ownerReferences: [{apiVersion: apps/v1,
  kind: DaemonSet, name: web, uid: u, controller: true}]}, spec: {containers: [{name: a}], affinity:
  {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [
  {matchFields: [{key: metadata.name, operator: In, values: [n3]}]}]}}}}}
---
)";
  const Reapplied made(nodes + owned("d", "DaemonSet", "web") + waits,
                       manifest("DaemonSet", "minReadySeconds: 0"));
  EXPECT_EQ(made.all, 1u);
  EXPECT_EQ(made.pods[0].spec.affinity.node_required->terms[0].match_fields[0].values[0], "n2");
  EXPECT_EQ(made.existing(), 2u);
}

TEST(ExistingPods, OfAJobCountTowardsItsCompletions) {
  const std::string one = owned("j", "Job", "web");
  const std::string done = owned("k", "Job", "web", "", "", "phase: Succeeded");
  const std::string spec = "parallelism: 3, completions: 3";
  EXPECT_EQ(Reapplied(one, manifest("Job", spec)).all, 2u);
  EXPECT_EQ(Reapplied(one + done, manifest("Job", spec)).all, 1u);
  EXPECT_EQ(Reapplied(one, manifest("Job", spec, ", status: {succeeded: 2}")).all, 0u);
  EXPECT_EQ(Reapplied(done, manifest("Job", "parallelism: 3")).all, 0u) << "a queue of work";
  EXPECT_EQ(Reapplied("", manifest("Job", spec,
                                   ", status: {conditions: [{type: Complete, status: "
                                   "'True'}]}"))
                .all,
            0u);
  EXPECT_EQ(Reapplied("", manifest("Job", spec + ", suspend: true")).all, 0u);
}

TEST(ExistingPods, OfAnIndexedJobHaveItsIndices) {
  const std::string index = "batch.kubernetes.io/job-completion-index: ";
  const std::string there = owned("a", "Job", "web", index + "'0'", "", "phase: Succeeded") +
                            owned("b", "Job", "web", index + "'3'") +
                            owned("c", "Job", "web", index + "'4'", "", "phase: Failed");
  const Reapplied made(there,
                       manifest("Job", "parallelism: 3, completions: 7, completionMode: Indexed",
                                ", status: {succeeded: 3, completedIndexes: '0-1,5'}"));
  EXPECT_THAT(made.names(), ElementsAre(MatchesRegex("web-2-....."), MatchesRegex("web-4-.....")));
}

TEST(ExistingPods, MayComeAndGoInAStream) {
  Diagnostics diagnostics;
  Creation creation([] { return std::vector<model::Node>(); }, false);
  model::Pod pod;
  pod.name = "web-0";
  pod.namespace_name = "default";
  pod.controller = {"apps/v1", "StatefulSet", "web", "u"};
  const auto made = [&] {
    ObjectReader reader(diagnostics, Defaults::kApiServer, Workloads::kManifests);
    const document::Document document =
        document::Document::parse(manifest("StatefulSet", "replicas: 1"), "file", diagnostics);
    reader.add(document.roots()[0]);
    Objects objects = reader.take();
    creation.create(objects, "file", diagnostics);
    return objects.pods.size();
  };
  creation.put(pod);
  EXPECT_EQ(made(), 0u);
  creation.remove_pod("default", "web-0");
  EXPECT_EQ(made(), 1u);
  EXPECT_EQ(made(), 0u) << "it was made before";
}

TEST(ExistingPods, AreThoseOfLiveWorkloadsToo) {
  std::string live = manifest("Deployment", "replicas: 2");
  live.insert(live.find("name: web"), "uid: d, ");
  EXPECT_EQ(Reapplied("", live).all, 2u);
  EXPECT_EQ(Reapplied(of_set("web-abc-1", "abc"), live).all, 1u);
  std::string set = manifest("StatefulSet", "replicas: 2");
  set.insert(set.find("name: web"),
             "uid: s, ownerReferences: [{apiVersion: monitoring.coreos.com/v1, kind: Prometheus, "
             "name: p, uid: p, controller: true}], ");
  EXPECT_EQ(Reapplied("", set).all, 2u) << "an operator's StatefulSet has its own controller";
}

}  // namespace
}  // namespace berth::ingest
