#include "engine/ingest/workloads/creation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/ingest/objects/objects_for_tests.h"
#include "engine/ingest/workloads/ephemeral_claims.h"

namespace berth::ingest {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The objects of a text, as an API server and its controllers leave them.
struct Created {
  explicit Created(const std::string& text, bool admission = true,
                   const std::string& cluster = "") {
    Creation creation([] { return std::vector<model::Node>(); }, admission);
    creation.add_cluster(read(cluster, Workloads::kOwners));
    objects = read(text, Workloads::kManifests);
    creation.create(objects, "file", diagnostics);
    errors = messages(diagnostics);
  }

  Objects read(const std::string& text, Workloads workloads) {
    ObjectReader reader(diagnostics, Defaults::kApiServer, workloads);
    const document::Document document = document::Document::parse(text, "file", diagnostics);
    for (document::Value root : document.roots()) reader.add(root);
    return reader.take();
  }

  // "namespace/name class" of each claim.
  Texts claims() const {
    Texts texts;
    model::each<model::VolumeObject>(objects.others, [&](const model::VolumeObject& object) {
      if (const auto* claim = std::get_if<model::PersistentVolumeClaim>(&object))
        texts.push_back(full_name(object) + " " + claim->storage_class +
                        (claim->has_class ? "" : "(no class)"));
    });
    return texts;
  }
  const model::PersistentVolumeClaim& claim(size_t i) const {
    return std::get<model::PersistentVolumeClaim>(
        std::get<model::VolumeObject>(objects.others.at(i).object));
  }

  Diagnostics diagnostics;
  Objects objects;
  Texts errors;
};

std::string class_text(const std::string& name, const std::string& metadata) {
  return "{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: " + name + ", " +
         metadata + "}, provisioner: p}\n---\n";
}
std::string default_class_text(const std::string& name, const std::string& created) {
  return class_text(name,
                    "creationTimestamp: '" + created +
                        "', annotations: {storageclass.kubernetes.io/is-default-class: 'true'}");
}
std::string claim_text(const std::string& metadata, const std::string& spec = "") {
  return "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {" + metadata + "}, spec: {" +
         spec + "}}\n---\n";
}
const std::string kOld = "2024-01-01T00:00:00Z", kNew = "2024-01-02T00:00:00Z";

TEST(DefaultStorageClass, IsForClaimsWithoutAClass) {
  const Created made(claim_text("name: none") + claim_text("name: empty", "storageClassName: ''") +
                         claim_text("name: own", "storageClassName: slow") +
                         claim_text("name: annotated, annotations: "
                                    "{volume.beta.kubernetes.io/storage-class: slow}") +
                         claim_text("name: there, uid: u"),
                     true, default_class_text("fast", kOld));
  EXPECT_EQ(made.errors, Texts());
  EXPECT_THAT(made.claims(), ElementsAre("default/none fast", "default/empty ", "default/own slow",
                                         "default/annotated slow", "default/there (no class)"));
}

TEST(DefaultStorageClass, IsTheNewestOfSeveralAndThenTheFirstByName) {
  const std::string classes = default_class_text("b", kNew) + default_class_text("c", kNew) +
                              default_class_text("a", kOld) + class_text("z", "");
  EXPECT_THAT(Created(claim_text("name: x") + classes).claims(), ElementsAre("default/x b"));
  const std::string beta =
      class_text("beta", "annotations: {storageclass.beta.kubernetes.io/is-default-class: 'true'}");
  EXPECT_THAT(Created(claim_text("name: x"), true, beta).claims(), ElementsAre("default/x beta"));
  const std::string no =
      class_text("no", "annotations: {storageclass.kubernetes.io/is-default-class: 'yes'}");
  EXPECT_THAT(Created(claim_text("name: x"), true, no).claims(),
              ElementsAre("default/x (no class)"));
}

TEST(DefaultStorageClass, IsNotSetWithoutAdmission) {
  EXPECT_THAT(Created(claim_text("name: x"), false, default_class_text("fast", kOld)).claims(),
              ElementsAre("default/x (no class)"));
}

TEST(DefaultStorageClass, IsForClaimsOfStatefulSets) {
  const Created made(R"({apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db}, spec: {
    selector: {matchLabels: {x: w}}, volumeClaimTemplates: [{metadata: {name: data}},
     {metadata: {name: log}, spec: {storageClassName: ''}}],
    template: {metadata: {labels: {x: w}}, spec: {containers: [{name: a}]}}}})",
                     true, default_class_text("fast", kOld));
  EXPECT_EQ(made.errors, Texts());
  EXPECT_THAT(made.claims(), ElementsAre("default/data-db-0 fast", "default/log-db-0 "));
}

// A manifest of some hundred bytes with very many replicas, and copies of a large template.
TEST(Workloads, AreMadeUpToALimit) {
  const auto deployment = [](const std::string& name, int replicas, const std::string& image) {
    return "{apiVersion: apps/v1, kind: Deployment, metadata: {name: " + name +
           "}, spec: {replicas: " + std::to_string(replicas) +
           ", selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, "
           "spec: {containers: [{name: c, image: " +
           image + "}]}}}}\n---\n";
  };
  const std::string large(3'000'000, 'i');
  const Created made(deployment("one", 1, large) + deployment("many", 800, large) +
                     deployment("small", 2, "i"));
  EXPECT_EQ(made.objects.pods.size(), 3u);
  EXPECT_EQ(made.objects.rejected, 1u);
  ASSERT_EQ(made.errors.size(), 1u);
  EXPECT_THAT(made.errors[0], HasSubstr("default/many: asks for 800 pods with a manifest"));
}

// A DaemonSet asks for a pod on each node, before it is known which nodes it selects.
TEST(Workloads, OfSeveralInputsHaveOneLimit) {
  const std::string daemons =
      "{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: d}, spec: {selector: {matchLabels: "
      "{a: b}}, template: {metadata: {labels: {a: b}}, spec: {nodeSelector: {no: node}, "
      "containers: [{name: c, image: " +
      std::string(3'000'000, 'i') + "}]}}}}";
  Creation creation([] { return std::vector<model::Node>(400); }, false);
  Texts errors;
  for (int input = 0; input < 2; ++input) {
    Diagnostics diagnostics;
    ObjectReader reader(diagnostics, Defaults::kApiServer, Workloads::kManifests);
    const auto document = document::Document::parse(daemons, "file", diagnostics);
    for (const document::Value root : document.roots()) reader.add(root);
    Objects objects = reader.take();
    creation.create(objects, "file", diagnostics);
    for (const std::string& error : messages(diagnostics)) errors.push_back(error);
  }
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_THAT(errors[0], HasSubstr("default/d: asks for 400 pods with a manifest"));
}

std::string policy(const std::string& kind, const std::string& spec) {
  return "{apiVersion: v1, kind: " + kind + ", metadata: {name: p}, spec: {" + spec + "}}\n---\n";
}
std::string sized(const std::string& name, const std::string& size, const std::string& more = "") {
  return claim_text("name: " + name, more + "resources: {requests: {storage: " + size + "}}");
}

TEST(Claims, AreComparedWithLimitRanges) {
  const std::string range =
      policy("LimitRange",
             "limits: [{type: PersistentVolumeClaim, min: {storage: 1Gi}, max: {storage: 5Gi}}]");
  const Created made(range + sized("small", "1Mi") + sized("fits", "2Gi") + sized("large", "9Gi") +
                     claim_text("name: there, uid: u"));
  EXPECT_THAT(made.claims(), ElementsAre("default/fits (no class)", "default/there (no class)"));
  EXPECT_EQ(made.objects.lines.others.size(), 2u);
  EXPECT_THAT(made.errors,
              ElementsAre(HasSubstr("file:3: default/small: persistentvolumeclaims \"small\" is "
                                    "forbidden: minimum storage usage per PersistentVolumeClaim is "
                                    "1Gi, but request is 1Mi"),
                          HasSubstr("maximum storage usage per PersistentVolumeClaim is 5Gi, but "
                                    "request is 9Gi")));
  EXPECT_THAT(Created(range + sized("large", "9Gi"), false).errors, ElementsAre());
}

TEST(Claims, CountInQuotas) {
  const std::string quota = policy(
      "ResourceQuota",
      "hard: {requests.storage: 5Gi, gold.storageclass.storage.k8s.io/requests.storage: 2Gi}");
  const std::string gold = "storageClassName: gold, ";
  const Created made(
      sized("a", "2Gi", gold) + sized("b", "1Gi", gold) + sized("c", "2Gi") + sized("d", "1Gi"),
      true, quota + sized("there", "512Mi"));
  EXPECT_THAT(made.claims(), ElementsAre("default/a gold", "default/c (no class)"));
  EXPECT_THAT(
      made.errors,
      ElementsAre(HasSubstr("persistentvolumeclaims \"b\" is forbidden: exceeded quota: p, "
                            "requested: gold.storageclass.storage.k8s.io/requests.storage=1Gi, "
                            "used: gold.storageclass.storage.k8s.io/requests.storage=2Gi, "
                            "limited: gold.storageclass.storage.k8s.io/requests.storage=2Gi"),
                  HasSubstr("\"d\" is forbidden: exceeded quota: p, requested: "
                            "requests.storage=1Gi, used: requests.storage=4608Mi, limited: "
                            "requests.storage=5Gi")));
  // Quotas with scopes are of pods.
  EXPECT_EQ(Created(policy("ResourceQuota",
                           "hard: {persistentvolumeclaims: 0}, scopes: [NotTerminating]") +
                    sized("a", "1Gi"))
                .errors,
            Texts());
}

TEST(Claims, OfControllersAreAdmittedToo) {
  const Created made(policy("ResourceQuota", "hard: {count/persistentvolumeclaims: 1}") +
                     R"({apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db}, spec: {
    replicas: 2, selector: {matchLabels: {x: w}}, volumeClaimTemplates: [{metadata: {name: data}}],
    template: {metadata: {labels: {x: w}}, spec: {containers: [{name: a}], volumes: [
     {name: tmp, ephemeral: {volumeClaimTemplate: {spec: {}}}}]}}}})");
  EXPECT_THAT(made.claims(), ElementsAre("default/data-db-0 (no class)"));
  EXPECT_EQ(made.objects.made_claims, 1u);
  EXPECT_EQ(made.objects.pods.size(), 2u);
  EXPECT_THAT(made.errors,
              ElementsAre(HasSubstr("persistentvolumeclaims \"data-db-1\""),
                          HasSubstr("default/db-0: persistentvolumeclaims \"db-0-tmp"),
                          HasSubstr("default/db-1: persistentvolumeclaims \"db-1-tmp")));
}

std::string with_scratch(const std::string& metadata, const std::string& spec = "") {
  return "{apiVersion: v1, kind: Pod, metadata: {" + metadata +
         ", namespace: team}, spec: {containers: [{name: c, image: i}], volumes: [{name: scratch, "
         "ephemeral: {volumeClaimTemplate: {metadata: {labels: {a: b}}, spec: {accessModes: "
         "[ReadWriteOnce], resources: {requests: {storage: 2Gi}}}}}}]" +
         spec + "}}\n---\n";
}

TEST(EphemeralVolumes, GetAClaimThatThePodOwns) {
  const Created made(with_scratch("name: web"), true, default_class_text("fast", kOld));
  EXPECT_EQ(made.errors, Texts());
  ASSERT_THAT(made.claims(), ElementsAre("team/web-scratch fast"));
  const model::PersistentVolumeClaim& claim = made.claim(0);
  const model::Pod& owner = made.objects.pods[0];
  EXPECT_FALSE(owner.uid.empty());
  EXPECT_EQ(claim.owner_uid, owner.uid);
  EXPECT_FALSE(claim.uid.empty());
  EXPECT_EQ(claim.storage, int64_t{2} << 30);
  EXPECT_THAT(claim.access_modes, ElementsAre("ReadWriteOnce"));
  EXPECT_TRUE(is_ephemeral_claim(claim));
  EXPECT_EQ(made.objects.made_claims, 1u);
  EXPECT_EQ(made.objects.lines.others.size(), 1u);
}

TEST(EphemeralVolumes, KeepAClaimThatIsThere) {
  const Created made(with_scratch("name: web"), true,
                     claim_text("name: web-scratch, namespace: team"));
  EXPECT_EQ(made.claims(), Texts());
  EXPECT_FALSE(made.objects.pods[0].uid.empty()) << "the scheduler compares it with the owner";
  EXPECT_FALSE(is_ephemeral_claim(model::PersistentVolumeClaim()));
}

TEST(EphemeralVolumes, OfPodsThatAnApiServerMadeHaveTheirClaims) {
  EXPECT_EQ(Created(with_scratch("name: web, uid: u")).claims(), Texts());
  EXPECT_EQ(Created(with_scratch("name: web", ", nodeName: n")).claims(), Texts());
}

TEST(EphemeralVolumes, OfRefusedPodsHaveNone) {
  const Created made(with_scratch("name: web", ", priorityClassName: none"));
  EXPECT_THAT(made.errors, ElementsAre(HasSubstr("no PriorityClass")));
  EXPECT_EQ(made.claims(), Texts());
}

TEST(EphemeralVolumes, OfWorkloadsHaveAClaimForEachPod) {
  const Created made(R"({apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db}, spec: {
    replicas: 2, selector: {matchLabels: {x: w}}, volumeClaimTemplates: [{metadata: {name: data}}],
    template: {metadata: {labels: {x: w}}, spec: {containers: [{name: a}], volumes: [
     {name: data, ephemeral: {volumeClaimTemplate: {spec: {}}}},
     {name: tmp, ephemeral: {volumeClaimTemplate: {spec: {}}}}]}}}})");
  EXPECT_EQ(made.errors, Texts());
  EXPECT_THAT(made.claims(),
              ElementsAre("default/data-db-0 (no class)", "default/data-db-1 (no class)",
                          "default/db-0-tmp (no class)", "default/db-1-tmp (no class)"));
}

TEST(EphemeralVolumes, MayBeMadeAgainWhenThePodIsGone) {
  Diagnostics diagnostics;
  Creation creation([] { return std::vector<model::Node>(); }, false);
  Created made(with_scratch("name: web"));
  model::Pod pod = made.objects.pods[0];
  const PodAsked asked = made.objects.pods_asked[0];
  pod.uid.clear();
  EXPECT_EQ(creation.claims_for(pod, asked).size(), 1u);
  pod.uid.clear();
  EXPECT_EQ(creation.claims_for(pod, asked, true).size(), 0u);
  EXPECT_FALSE(pod.uid.empty()) << "an update is of the same pod";
  pod.uid.clear();
  EXPECT_EQ(creation.claims_for(pod, asked).size(), 0u);
  creation.remove_pod(pod.namespace_name, pod.name);
  pod.uid.clear();
  EXPECT_EQ(creation.claims_for(pod, asked).size(), 1u);
}

TEST(EphemeralVolumes, AreCheckedWithTheirPod) {
  const Created made(
      "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c, image: i}], "
      "volumes: [{name: v, ephemeral: {volumeClaimTemplate: {spec: {resources: {requests: "
      "{storage: much}}}}}}]}}");
  EXPECT_THAT(made.errors, ElementsAre(HasSubstr("storage")));
}

TEST(RefusedPods, AreReportedOfEachWorkloadBeforeTheOthersOfIt) {
  const auto two = [](const std::string& name) {
    return "{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: " + name +
           "}, spec: {replicas: 2, selector: {matchLabels: {a: b}}, template: {metadata: {labels: "
           "{a: b}}, spec: {priorityClassName: none, containers: [{name: c}]}}}}\n---\n";
  };
  const Created made(two("v") + two("w"));
  EXPECT_THAT(made.errors, ElementsAre(HasSubstr("default/v-0"), HasSubstr("default/w-0"),
                                       HasSubstr("default/v-1"), HasSubstr("default/w-1")));
  EXPECT_EQ(made.objects.rejected, 4u);
  EXPECT_EQ(made.objects.rejected_pods.at(1).name, "v-1");
}

}  // namespace
}  // namespace berth::ingest
