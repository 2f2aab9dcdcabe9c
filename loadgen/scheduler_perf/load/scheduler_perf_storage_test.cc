// Volumes, claims and limits of volumes in definitions of kube-scheduler's benchmark.

#include <gmock/gmock.h>

#include "loadgen/import/testing.h"

namespace berth::loadgen {
namespace {

using testing::ElementsAre;
using testing_imports::lines_of;
using testing_imports::one_case;
using testing_imports::only;

std::string claims(const std::string& volume) {
  return ", persistentVolumeTemplatePath: " + volume +
         ", persistentVolumeClaimTemplatePath: volume-claim.yaml}\n";
}

// The objects of storage that a load brings, and the volumes of its pods' templates.
struct Brought {
  std::vector<model::VolumeObject> storage;
  std::vector<std::vector<model::PodVolume>> volumes;
};
Brought brought(const std::string& ops, const LoadSettings& settings = {}) {
  const std::unique_ptr<Load> load = only(one_case(ops)).open(settings);
  Brought brought;
  for (LoadStep step; load->next(step);) {
    const auto take = [&](const auto& object) { brought.storage.push_back(object); };
    model::each<model::VolumeObject>(step.cluster, take);
    model::each<model::VolumeObject>(step.events, take);
    for (const ingest::TemplateDefinition& definition : step.templates)
      brought.volumes.push_back(definition.spec->volumes);
  }
  return brought;
}

LoadSettings unlabelled() { return {0, {{"podsPerSecond", "2"}, {"signatureLabels", "false"}}}; }

TEST(SchedulerPerfStorage, EachPodGetsAClaimThatIsBound) {
  const auto [storage, volumes] =
      brought("  - {opcode: createPods, count: 2, namespace: a, podTemplatePath: volume-pod.yaml" +
              claims("volume.yaml"));
  ASSERT_EQ(storage.size(), 4u);
  const auto& claim = std::get<model::PersistentVolumeClaim>(storage[2]);
  EXPECT_EQ(claim.namespace_name + "/" + claim.name, "a/pvc-1");
  EXPECT_EQ(claim.volume_name, "a-vol-1");
  EXPECT_TRUE(claim.bind_completed);
  EXPECT_EQ(claim.storage, int64_t{1} << 30);
  const auto& volume = std::get<model::PersistentVolume>(storage[3]);
  EXPECT_EQ(volume.name, "a-vol-1");
  EXPECT_TRUE(volume.has_claim);
  EXPECT_EQ(volume.claim_namespace + "/" + volume.claim_name, "a/pvc-1");
  EXPECT_EQ(volume.plugin, "kubernetes.io/aws-ebs");
  EXPECT_EQ(volume.plugin_handle, "vol-1");
  ASSERT_EQ(volumes.size(), 1u);
  ASSERT_EQ(volumes[0].size(), 1u) << "the template's own volumes are replaced";
  EXPECT_TRUE(volumes[0][0].is_claim);
}

// As upstream, handles do not tell namespaces apart.
TEST(SchedulerPerfStorage, VolumesOfCsiDriversGetAHandle) {
  const auto [storage, volumes] =
      brought("  - {opcode: createPods, count: 1, namespace: a" + claims("csi-volume.yaml") +
              "  - {opcode: createPods, count: 1, namespace: b" + claims("csi-volume.yaml"));
  ASSERT_EQ(storage.size(), 4u);
  for (const size_t i : {size_t{1}, size_t{3}})
    EXPECT_EQ(std::get<model::PersistentVolume>(storage[i]).csi_handle, "vol-0");
  EXPECT_EQ(std::get<model::PersistentVolume>(storage[3]).name, "b-vol-0");
}

TEST(SchedulerPerfStorage, PodsOfLaterOperationsTakeTheClaimsThatExist) {
  EXPECT_THAT(
      lines_of(
          only(one_case("  - {opcode: createPods, count: 1, namespace: a" + claims("volume.yaml") +
                        "  - {opcode: createPods, count: 2, namespace: a" + claims("volume.yaml"))),
          unlabelled()),
      ElementsAre("0ms namespace a kubernetes.io/metadata.name=a", testing::HasSubstr("pvc-0"),
                  testing::HasSubstr("a-vol-0"), "0ms pod a/pod-0000000 of pvc-0",
                  "500ms +PersistentVolumeClaim a/pvc-1", "500ms +PersistentVolume a-vol-1",
                  "500ms pod a/pod-0000001 of pvc-0", "1000ms pod a/pod-0000002 of pvc-1"));
}

TEST(SchedulerPerfStorage, DeletedPodsKeepTheirClaims) {
  const std::unique_ptr<Load> load =
      only(one_case("  - {opcode: createNodes, count: 1}\n"
                    "  - {opcode: createPods, count: 2, namespace: a, podTemplatePath: "
                    "graceful-pod.yaml" +
                    claims("volume.yaml") + "  - {opcode: deletePods, namespace: a}\n"))
          .open({});
  std::vector<std::string> claims_of_pods;
  for (LoadStep step; load->next(step);)
    model::each<ingest::TemplatePod>(step.events, [&](const ingest::TemplatePod& pod) {
      claims_of_pods.push_back(pod.claims.at(0));
    });
  EXPECT_THAT(claims_of_pods, ElementsAre("pvc-0", "pvc-1"));
}

TEST(SchedulerPerfStorage, NodesOfAStrategyGetCsiNodes) {
  const auto [storage, volumes] = brought(
      "  - opcode: createNodes\n    count: 2\n    nodeTemplatePath: named-node.yaml\n"
      "    nodeAllocatableStrategy:\n"
      "      csiNodeAllocatable: {e.example: {count: 39}, d.example: {}}\n"
      "      migratedPlugins: [kubernetes.io/aws-ebs, kubernetes.io/gce-pd]\n"
      "  - {opcode: createNodes, count: 1}\n");
  ASSERT_EQ(storage.size(), 2u);
  const auto& node = std::get<model::CsiNode>(storage[1]);
  EXPECT_EQ(node.name, "n1-of-2");
  EXPECT_EQ(node.migrated_plugins, "kubernetes.io/aws-ebs,kubernetes.io/gce-pd");
  ASSERT_EQ(node.drivers.size(), 2u);
  EXPECT_EQ(node.drivers[0].name, "d.example");
  EXPECT_EQ(node.drivers[0].count, std::nullopt);
  EXPECT_EQ(node.drivers[1].count, 39);
}

TEST(SchedulerPerfStorage, CreatesAnyObjectOfStorage) {
  EXPECT_THAT(
      lines_of(only(one_case("  - {opcode: createPods, count: 1, namespace: a}\n"
                             "  - {opcode: createAny, count: 2, namespace: a, templatePath: "
                             "any-claim.yaml}\n"
                             "  - {opcode: createAny, templatePath: class.yaml}\n"
                             "  - {opcode: churn, mode: recreate, number: 1, namespace: c, "
                             "intervalMilliseconds: 100, templatePaths: [fixed-claim.yaml]}\n"
                             "  - {opcode: sleep, duration: 350ms}\n")),
               unlabelled()),
      ElementsAre("0ms namespace a kubernetes.io/metadata.name=a", "0ms pod a/pod-0000000",
                  "500ms +PersistentVolumeClaim a/c0", "500ms +PersistentVolumeClaim a/c1",
                  "500ms +StorageClass class-0000002",
                  "500ms +namespace c kubernetes.io/metadata.name=c",
                  "600ms +PersistentVolumeClaim c/data", "700ms -PersistentVolumeClaim c/data",
                  "800ms +PersistentVolumeClaim c/data"));
  const Brought any =
      brought("  - {opcode: createAny, namespace: a, templatePath: any-claim.yaml}\n");
  EXPECT_FALSE(std::get<model::PersistentVolumeClaim>(any.storage.at(0)).lost)
      << "an API server takes no status of an object that is created";
  EXPECT_THROW(lines_of(only(one_case("  - {opcode: createAny, count: 2, namespace: a, "
                                      "templatePath: fixed-claim.yaml}\n"))),
               Error);
}

TEST(SchedulerPerfStorage, CanBeLeftOut) {
  const std::string ops =
      "  - {opcode: createNodes, count: 1, nodeAllocatableStrategy: {csiNodeAllocatable: {d: "
      "{count: 3}}}}\n"
      "  - {opcode: createPods, count: 1" +
      claims("volume.yaml") +
      "  - {opcode: createPods, count: 1, podTemplatePath: volume-pod.yaml}\n"
      "  - {opcode: createAny, templatePath: class.yaml}\n";
  const LoadSettings without{0, {{"volumes", "false"}}};
  EXPECT_EQ(brought(ops).storage.size(), 4u);
  const auto [storage, volumes] = brought(ops, without);
  EXPECT_TRUE(storage.empty());
  for (const std::vector<model::PodVolume>& of_template : volumes) EXPECT_TRUE(of_template.empty());
  const Workload workload = only(one_case(ops));
  EXPECT_THAT(workload.open(without)->note(), testing::HasSubstr("volumes=false"));
  EXPECT_THROW(workload.open({0, {{"volumes", "some"}}}), Error);
}

}  // namespace
}  // namespace berth::loadgen
