#include "engine/ingest/workloads/expand.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "engine/ingest/objects/objects_for_tests.h"
#include "engine/ingest/workloads/pod_names.h"

namespace berth::ingest {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Reads manifests and expands them over the nodes of the same text.
struct Expanded {
  explicit Expanded(std::string_view text, Workloads workloads = Workloads::kManifests,
                    Validation validation = Validation::kNone) {
    ObjectReader reader(diagnostics, Defaults::kApiServer, workloads, validation);
    const document::Document document = document::Document::parse(text, "file", diagnostics);
    for (document::Value root : document.roots()) reader.add(root);
    objects = reader.take();
    expand(objects, model::objects_of<model::Node>(objects.others));
    errors = messages(diagnostics);
  }

  Texts names() const {
    Texts names;
    for (const model::Pod& pod : objects.pods) names.push_back(pod.name);
    return names;
  }

  Diagnostics diagnostics;
  Objects objects;
  Texts errors;
};

std::string workload(const std::string& kind, const std::string& spec,
                     const std::string& metadata = "name: web") {
  const std::string group = kind == "Job" ? "batch/v1" : "apps/v1";
  return "{apiVersion: " + group + ", kind: " + kind + ", metadata: {" + metadata + "}, spec: {" +
         spec + ", template: {metadata: {labels: {app: web}}, spec: {" +
         (kind == "Job" ? "restartPolicy: Never, " : "") +
         "containers: [{name: a, image: b, resources: {requests: {cpu: 2}}}]}}}}\n---\n";
}

constexpr char kSelector[] = "selector: {matchLabels: {app: web}}";

TEST(Manifests, OfADeploymentStandForThePodsOfItsReplicaSet) {
  const Expanded read(workload("Deployment", std::string("replicas: 3, ") + kSelector));
  EXPECT_EQ(read.errors, Texts());
  ASSERT_EQ(read.objects.pods.size(), 3u);
  ASSERT_EQ(read.objects.others.size(), 1u);
  const auto& set = std::get<model::SelectorOwner>(read.objects.others[0].object);
  const std::string hash = set.name.substr(4);
  EXPECT_EQ(set.name, "web-" + hash);
  EXPECT_EQ(pairs(set.selector->match_labels), "app=web pod-template-hash=" + hash);
  for (const model::Pod& pod : read.objects.pods) {
    EXPECT_EQ(pairs(pod.spec.labels), "app=web pod-template-hash=" + hash);
    EXPECT_EQ(pod.name.substr(0, set.name.size() + 1), set.name + "-");
    EXPECT_EQ(pod.name.size(), set.name.size() + 6);
    EXPECT_EQ(pod.controller->kind, "ReplicaSet");
    EXPECT_EQ(pod.controller->name, set.name);
    EXPECT_EQ(pod.namespace_name, "default");
    EXPECT_EQ(amounts(pod.spec.containers[0].requests), "cpu=2");
  }
  EXPECT_NE(read.names()[0], read.names()[1]);
  EXPECT_EQ(read.names(),
            Expanded(workload("Deployment", std::string("replicas: 3, ") + kSelector)).names());
}

TEST(Manifests, HaveTheHashOfTheirTemplateWhateverTheOrderOfItsKeys) {
  Diagnostics diagnostics;
  const auto hash = [&](std::string_view text) {
    return template_hash(document::Document::parse(text, "file", diagnostics).roots()[0]);
  };
  EXPECT_EQ(hash("{a: 1, b: [x, y]}"), hash("{b: [x, y], a: 1, c: null}"));
  EXPECT_NE(hash("{a: 1, b: [x, y]}"), hash("{a: 1, b: [y, x]}"));
}

TEST(Manifests, GiveEachOrdinalAnotherName) {
  std::set<std::string> names;
  for (uint64_t i = 0; i < 100'000; ++i) names.insert(generated_name("", 4711, i));
  EXPECT_EQ(names.size(), 100'000u);
  EXPECT_EQ(generated_name(std::string(80, 'a'), 0, 0).size(), 63u);
}

TEST(Manifests, OfAStatefulSetHaveOrdinals) {
  const Expanded read(
      workload("StatefulSet", std::string("replicas: 2, ordinals: {start: 5}, ") + kSelector));
  EXPECT_EQ(read.errors, Texts());
  EXPECT_THAT(read.names(), ElementsAre("web-5", "web-6"));
  EXPECT_THAT(pairs(read.objects.pods[1].spec.labels),
              HasSubstr("apps.kubernetes.io/pod-index=6 "));
  EXPECT_THAT(pairs(read.objects.pods[1].spec.labels),
              HasSubstr("statefulset.kubernetes.io/pod-name=web-6"));
  EXPECT_EQ(read.objects.others.size(), 1u);
}

// A StatefulSet with a claim template, and beside it a claim of the name of its first pod's.
constexpr char kClaimTemplate[] = R"(
{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db, namespace: team}, spec: {replicas: 2,
 selector: {matchLabels: {x: w}}, volumeClaimTemplates: [
  {metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], storageClassName: fast,
   resources: {requests: {storage: 1Gi}}}, status: {phase: Lost}}, {metadata: {name: log}}],
 template: {metadata: {labels: {x: w}}, spec: {containers: [{name: a}], volumes: [
  {name: data, ephemeral: {}}, {name: disk, iscsi: {iqn: i}}]}}}}
)";

TEST(Manifests, OfAStatefulSetHaveClaimsOfTheirOwn) {
  const Expanded read(kClaimTemplate);
  EXPECT_EQ(read.errors, Texts());
  ASSERT_EQ(read.objects.pods.size(), 2u);
  const std::vector<model::PodVolume>& volumes = read.objects.pods[1].spec.volumes;
  ASSERT_EQ(volumes.size(), 3u) << "the template's volume `data` is replaced";
  EXPECT_TRUE(volumes[0].is_claim);
  EXPECT_FALSE(volumes[0].ephemeral);
  EXPECT_EQ(volumes[0].claim, "data-db-1");
  EXPECT_EQ(volumes[1].claim, "log-db-1");
  EXPECT_FALSE(volumes[2].is_claim);
  const auto claims = model::objects_of<model::VolumeObject>(read.objects.others);
  Texts names;
  for (const model::VolumeObject& object : claims) names.push_back(full_name(object));
  EXPECT_THAT(names,
              ElementsAre("team/data-db-0", "team/log-db-0", "team/data-db-1", "team/log-db-1"));
  EXPECT_EQ(read.objects.made_claims, 4u);
  EXPECT_EQ(read.objects.lines.others.size(), read.objects.others.size());
  const auto& claim = std::get<model::PersistentVolumeClaim>(claims[2]);
  EXPECT_EQ(claim.storage_class, "fast");
  EXPECT_EQ(claim.storage, int64_t{1} << 30);
  EXPECT_FALSE(claim.lost);
  EXPECT_FALSE(claim.uid.empty());
}

TEST(Manifests, DoNotMakeClaimsThatExist) {
  const Expanded read(std::string(kClaimTemplate) +
                      "---\n{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: "
                      "data-db-0, namespace: team}, spec: {volumeName: v}}\n");
  EXPECT_EQ(read.errors, Texts());
  const auto claims = model::objects_of<model::VolumeObject>(read.objects.others);
  ASSERT_EQ(claims.size(), 4u);
  EXPECT_EQ(std::get<model::PersistentVolumeClaim>(claims[0]).volume_name, "v");
  EXPECT_EQ(read.objects.made_claims, 3u);
}

TEST(Manifests, SayWhatIsWrongInAClaimTemplate) {
  const auto errors = [](const std::string& claims) {
    return Expanded(workload("StatefulSet", "volumeClaimTemplates: " + claims + ", " + kSelector))
        .errors;
  };
  EXPECT_THAT(errors("[{}]"), ElementsAre(HasSubstr("spec.volumeClaimTemplates[0].metadata.name: a "
                                                    "claim template needs a name")));
  EXPECT_THAT(
      errors("[{metadata: {name: d}, spec: {resources: {requests: {storage: much}}}}]"),
      ElementsAre(HasSubstr("spec.volumeClaimTemplates[0].spec.resources.requests.storage")));
  EXPECT_THAT(errors("{}"), ElementsAre(HasSubstr("spec.volumeClaimTemplates: ")));
}

TEST(Manifests, OfADaemonSetAreAPodForEachNodeThatItsControllerTakes) {
  const Expanded read(R"(
{apiVersion: v1, kind: Node, metadata: {name: a, labels: {disk: ssd}}}
---
{apiVersion: v1, kind: Node, metadata: {name: b, labels: {disk: hdd}}}
---
{apiVersion: v1, kind: Node, metadata: {name: c, labels: {disk: ssd}}, spec: {taints: [{key: k, effect: NoSchedule}]}}
---
{apiVersion: v1, kind: Node, metadata: {name: d, labels: {disk: ssd}},
 spec: {unschedulable: true, taints: [{key: node.kubernetes.io/unschedulable, effect: NoSchedule}]}}
---
{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: agent}, spec: {selector: {matchLabels: {x: w}},
 template: {metadata: {labels: {x: w}}, spec: {nodeSelector: {disk: ssd}, containers: [{name: a}]}}}}
)");
  EXPECT_EQ(read.errors, Texts());
  ASSERT_EQ(read.objects.pods.size(), 2u);
  const model::PodSpec& spec = read.objects.pods[1].spec;
  const model::NodeSelectorTerm& term = spec.affinity.node_required->terms[0];
  EXPECT_EQ(term.match_fields[0].key, "metadata.name");
  EXPECT_THAT(term.match_fields[0].values, ElementsAre("d"));
  EXPECT_EQ(spec.tolerations.size(), 6u);
  EXPECT_EQ(read.objects.pods[0].controller->kind, "DaemonSet");
}

// Whatever the template says: its pods stay on nodes in trouble.
TEST(Manifests, OfADaemonSetTolerateTroubleForEver) {
  const Expanded read(R"(
{apiVersion: v1, kind: Node, metadata: {name: a}}
---
{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: agent}, spec: {selector: {matchLabels: {x: w}},
 template: {metadata: {labels: {x: w}}, spec: {tolerations: [{key: node.kubernetes.io/not-ready,
 operator: Exists, effect: NoExecute, tolerationSeconds: 5}], containers: [{name: a}]}}}}
)");
  EXPECT_EQ(read.errors, Texts());
  ASSERT_EQ(read.objects.pods.size(), 1u);
  const std::vector<model::Toleration>& all = read.objects.pods[0].spec.tolerations;
  EXPECT_EQ(all.size(), 6u);
  EXPECT_THAT(all, testing::Each(testing::Field(&model::Toleration::seconds, std::nullopt)));
}

TEST(Manifests, OfAJobAreThePodsThatRunAtOnce) {
  EXPECT_EQ(Expanded(workload("Job", "parallelism: 3, completions: 2")).names().size(), 2u);
  EXPECT_EQ(Expanded(workload("Job", "parallelism: 3")).names().size(), 3u);
  EXPECT_EQ(Expanded(workload("Job", "completions: 5")).names().size(), 1u);
  EXPECT_EQ(Expanded(workload("Job", "parallelism: 3, suspend: true")).names().size(), 0u);
  const Expanded read(workload("Job", "parallelism: 2, completions: 2, completionMode: Indexed",
                               "generateName: pi-"));
  EXPECT_EQ(read.errors, Texts());
  ASSERT_EQ(read.objects.pods.size(), 2u);
  EXPECT_THAT(read.names()[1], testing::StartsWith("pi-1-1-"));
  EXPECT_THAT(pairs(read.objects.pods[1].spec.labels),
              HasSubstr("batch.kubernetes.io/job-completion-index=1 "));
  EXPECT_THAT(pairs(read.objects.pods[1].spec.labels), HasSubstr("job-name=pi-1"));
}

TEST(Manifests, MergeLabelKeysOfLabelsThatTheControllerGives) {
  const Expanded read(R"(
{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db}, spec: {replicas: 2, selector: {matchLabels: {x: w}},
 template: {metadata: {labels: {x: w}}, spec: {containers: [{name: a}], affinity: {podAntiAffinity: {
  requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: zone, labelSelector: {matchLabels: {x: w}},
   matchLabelKeys: [apps.kubernetes.io/pod-index]}]}}}}}}
)");
  EXPECT_EQ(read.errors, Texts());
  ASSERT_EQ(read.objects.pods.size(), 2u);
  const auto& selector =
      read.objects.pods[1].spec.affinity.pod_anti_affinity->required[0].label_selector;
  ASSERT_EQ(selector->match_expressions.size(), 1u);
  EXPECT_THAT(selector->match_expressions[0].values, ElementsAre("1"));
}

TEST(Manifests, StandInTheOrderOfTheFileAndCountThePodsThatAreThere) {
  const std::string pod = R"({apiVersion: v1, kind: Pod, metadata: {name: web-1, labels: {app: web},
 ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: web, controller: true}]},
 spec: {nodeName: node, containers: [{name: a}]}}
---
)";
  const Expanded read("{kind: Pod, metadata: {name: first}}\n---\n" +
                      workload("StatefulSet", std::string("replicas: 3, ") + kSelector) + pod);
  EXPECT_EQ(read.errors, Texts());
  EXPECT_THAT(read.names(), ElementsAre("first", "web-0", "web-2", "web-1"));
  EXPECT_EQ(read.objects.lines.pods, (std::vector<uint32_t>{1, 3, 3, 5}));
  EXPECT_EQ(read.objects.pods_asked.size(), 4u);
}

TEST(Manifests, OfAClusterAreOwnersAndExpandNothing) {
  const std::string text =
      workload("ReplicaSet", std::string("replicas: 3, ") + kSelector, "name: web, uid: u") +
      workload("Deployment", kSelector, "name: d, uid: v");
  for (const Workloads way : {Workloads::kOwners, Workloads::kMixed}) {
    const Expanded read(text, way);
    EXPECT_EQ(read.errors, Texts());
    EXPECT_EQ(read.names(), Texts());
    EXPECT_EQ(read.objects.others.size(), 1u);
    EXPECT_EQ(read.objects.remarks.unread_kinds.at("Deployment"), 1u);
  }
  const std::string owned =
      "name: web, ownerReferences: [{kind: Deployment, name: d, controller: true}]";
  EXPECT_EQ(Expanded(workload("ReplicaSet", kSelector, owned)).names(), Texts());
  EXPECT_EQ(Expanded("{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: r}}").errors,
            Texts());
}

TEST(Manifests, WithFaultsAreRejectedAsByAnApiServer) {
  const auto fault = [](const std::string& kind, const std::string& spec) {
    const Expanded read(workload(kind, spec));
    EXPECT_EQ(read.names(), Texts());
    return read.errors.empty() ? std::string() : read.errors[0];
  };
  const std::string selector = std::string(", ") + kSelector;
  EXPECT_THAT(fault("Deployment", "replicas: -1" + selector),
              HasSubstr("spec.replicas: Invalid value: -1: must be greater than or equal to 0"));
  EXPECT_THAT(
      fault("StatefulSet", "ordinals: {start: -1}" + selector),
      HasSubstr("spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0"));
  EXPECT_THAT(fault("Deployment", "replicas: 1.5" + selector), HasSubstr("expected an integer"));
  EXPECT_THAT(fault("Deployment", "replicas: 2000000000" + selector),
              HasSubstr("spec.replicas: asks for 2000000000 pods, and 1000000 are made"));
  EXPECT_THAT(fault("Deployment", "selector: {matchLabels: {app: x}}"),
              HasSubstr("spec.template.metadata.labels: Invalid value: {\"app\":\"web\"}: "
                        "`selector` does not match template `labels`"));
  EXPECT_THAT(
      fault("DaemonSet", "selector: {}"),
      HasSubstr("spec.selector: Invalid value: {}: empty selector is invalid for daemonset"));
  EXPECT_THAT(fault("StatefulSet", "replicas: 1"), HasSubstr("spec.selector: Required value"));
  EXPECT_THAT(fault("Job", "completionMode: Indexed"),
              HasSubstr("spec.completions: Required value: when completion mode is Indexed"));
}

TEST(Manifests, WithAnEmptyTemplateOrTheWrongPolicyAreRejected) {
  const Expanded empty(R"(
{apiVersion: apps/v1, kind: Deployment, metadata: {name: e}, spec: {selector: {matchLabels: {a: b}}, template: {}}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: f}, spec: {}}
---
{apiVersion: batch/v1, kind: Job, metadata: {name: g}, spec: {template: {spec: {containers: [{name: a}]}}}}
)");
  EXPECT_THAT(empty.errors,
              ElementsAre(HasSubstr("spec.template.spec.containers: Required value"),
                          HasSubstr("spec.template.metadata.labels: Invalid value: {}: "),
                          HasSubstr("spec.template: Required value"),
                          HasSubstr("spec.selector: Required value"),
                          HasSubstr("spec.restartPolicy: Required value: valid values: "
                                    "\"OnFailure\", \"Never\"")));
}

TEST(Manifests, WithoutASpecAreRejectedWithTheirPlace) {
  const Expanded read(R"(
kind: JobList
apiVersion: batch/v1
items:
- metadata: {name: a}
- metadata: {name: b}
  spec: {template: {spec: {restartPolicy: Never, containers: [{name: a}]}}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: c}}
)");
  EXPECT_THAT(read.errors, ElementsAre(HasSubstr(":5:3: items[0].spec.template: Required value"),
                                       HasSubstr(":9:1: spec.template: Required value"),
                                       HasSubstr(":9:1: spec.selector: Required value")));
  EXPECT_EQ(read.names().size(), 1u);
}

TEST(Manifests, AreComparedWithTheirSelectorBesideOtherFaults) {
  const Expanded read(workload("Deployment", "replicas: -1, selector: {matchLabels: {app: x}}"));
  EXPECT_THAT(read.errors, ElementsAre(HasSubstr("spec.replicas: Invalid value: -1"),
                                       HasSubstr("`selector` does not match template `labels`")));
  // A selector that cannot be read is one fault.
  EXPECT_THAT(Expanded(workload("Deployment", "selector: {matchLabels: {app: 5}}")).errors,
              ElementsAre(HasSubstr("spec.selector.matchLabels.app: expected a string")));
}

TEST(Manifests, OfJobsHaveASelectorOfTheirOwnOrTheOneThatTheySayIsManual) {
  const Expanded manual(workload("Job", std::string("manualSelector: true, ") + kSelector));
  EXPECT_EQ(manual.errors, Texts());
  EXPECT_EQ(pairs(manual.objects.pods.at(0).spec.labels), "app=web");
  EXPECT_THAT(Expanded(workload("Job", "manualSelector: true")).errors,
              ElementsAre(HasSubstr("spec.selector: Required value")));
  EXPECT_EQ(Expanded(workload("Job", "manualSelector: true, selector: {}")).errors, Texts());
  const auto other = [](Validation validation) {
    return Expanded(workload("Job", kSelector), Workloads::kManifests, validation).errors;
  };
  EXPECT_THAT(other(Validation::kNew1_34), ElementsAre(HasSubstr("`selector` not auto-generated")));
  EXPECT_EQ(other(Validation::kNone), Texts());
}

TEST(Manifests, OfOneInputStandForSoManyPodsInAll) {
  const std::string many = std::string("replicas: 600000, ") + kSelector;
  Diagnostics diagnostics;
  ObjectReader reader(diagnostics, Defaults::kApiServer, Workloads::kManifests);
  const document::Document document = document::Document::parse(
      workload("Deployment", many) + workload("Deployment", many, "name: b"), "file", diagnostics);
  for (document::Value root : document.roots()) reader.add(root);
  EXPECT_EQ(reader.take().workloads.size(), 1u);
  EXPECT_EQ(diagnostics.count(), 1u);
}

TEST(Manifests, OfOtherKindsThatHoldPodsAreErrors) {
  const Expanded read(R"(
{apiVersion: argoproj.io/v1alpha1, kind: Rollout, metadata: {name: r}, spec: {template: {spec: {containers: [{name: a}]}}}}
---
{apiVersion: kubeflow.org/v1, kind: TFJob, spec: {tfReplicaSpecs: {Worker: {template: {spec: {containers: [{name: a}]}}}}}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}
---
{apiVersion: batch/v1, kind: CronJob, metadata: {name: nightly}, spec: {jobTemplate: {spec: {template: {spec: {containers: [{name: a}]}}}}}}
)");
  EXPECT_THAT(read.errors,
              ElementsAre(HasSubstr("objects of kind Rollout are not expanded: the pods of its "
                                    "spec.template are not there"),
                          HasSubstr("spec.tfReplicaSpecs.Worker.template")));
  EXPECT_THAT(read.objects.remarks.cron_jobs.examples, ElementsAre("default/nightly"));
}

}  // namespace
}  // namespace berth::ingest
