// Claims of generated pods, and the objects of storage around them.

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "loadgen/testing.h"

namespace berth::loadgen {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string cluster(const std::string& zones = "[a, b]") {
  return "cluster: {nodes: 4, zones: " + zones +
         ", shapes: [{name: s, allocatable: {cpu: 8, memory: 8Gi, pods: 20}}]}\n";
}

std::string one_template(const std::string& claims) {
  return "templates: [{name: db, claims: " + claims +
         ", template: {spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}}]\n";
}

std::string workload(const std::string& claims, const std::string& rest) {
  return head(cluster() + one_template(claims) + rest);
}

constexpr char kAtOnce[] = "arrivals: [{atOnce: {}, pods: 400}]\n";

// Objects of one kind that a load brings, from the start and with its pods.
template <typename Object>
std::vector<Object> all(const Played& played) {
  std::vector<ingest::Change> changes = played.cluster;
  for (const auto& [at, event] : played.events) changes.push_back(event);
  std::vector<Object> found;
  model::each<model::VolumeObject>(changes, [&](const model::VolumeObject& object) {
    if (const auto* one = std::get_if<Object>(&object)) found.push_back(*one);
  });
  return found;
}

std::vector<std::string> deleted(const Played& played) {
  std::vector<std::string> names;
  for (const auto& [at, event] : played.events)
    if (event.operation == model::Operation::kDeleted &&
        std::holds_alternative<model::VolumeObject>(event.object))
      names.push_back(model::full_name(event.object));
  return names;
}

using Claim = model::PersistentVolumeClaim;
using Volume = model::PersistentVolume;

TEST(PodClaims, ClustersHaveClassesAndCsiNodes) {
  const Played played = play_all(
      head(cluster() + "storage: {driver: d.example, perNode: 7}\n" + one_template("{size: 1Gi}")));
  EXPECT_THAT(played.broken, IsEmpty());
  std::map<std::string, bool> waits;
  for (const auto& one : all<model::StorageClass>(played)) {
    waits[one.name] = one.waits;
    EXPECT_EQ(one.provisioner, "d.example");
    EXPECT_TRUE(one.has_binding_mode);
  }
  EXPECT_EQ(waits, (std::map<std::string, bool>{{"delayed", true}, {"immediate", false}}));
  EXPECT_EQ(all<model::CsiDriver>(played).at(0).name, "d.example");
  const auto nodes = all<model::CsiNode>(played);
  ASSERT_EQ(nodes.size(), 4u);
  EXPECT_EQ(nodes[3].name, model::objects_of<model::Node>(played.cluster).at(3).name);
  EXPECT_EQ(nodes[3].drivers.at(0).count, 7);
  EXPECT_THAT(nodes[3].drivers[0].topology_keys, ElementsAre("topology.kubernetes.io/zone"));
}

TEST(PodClaims, WithoutClaimsThereIsNoStorage) {
  const Played played = play_all(head(cluster() + "templates: [{name: a, template: {}}]\n"));
  EXPECT_TRUE(model::objects_of<model::VolumeObject>(played.cluster).empty());
}

TEST(PodClaims, AShareOfThePodsHasThem) {
  const Played played = play_all(workload("{share: 0.25, each: 2, size: 1Gi}", kAtOnce), 1);
  EXPECT_THAT(played.broken, IsEmpty());
  size_t with = 0;
  for (const ArrivedPod& pod : played.pods) {
    if (pod.pod.spec.volumes.empty()) continue;
    ++with;
    ASSERT_EQ(pod.pod.spec.volumes.size(), 2u);
    EXPECT_EQ(pod.pod.spec.volumes[1].claim, "data-1-" + pod.name);
  }
  EXPECT_GT(with, 60u);
  EXPECT_LT(with, 140u);
  EXPECT_EQ(all<Claim>(played).size(), 2 * with);
}

TEST(PodClaims, AreOfTheKindsThatAreAskedFor) {
  const Played played = play_all(
      workload("{size: {uniform: {min: 1Gi, max: 4Gi}, step: 1Gi}, kinds: {bound: 1, delayed: 2, "
               "immediate: 1}}",
               kAtOnce));
  EXPECT_THAT(played.broken, IsEmpty());
  std::map<std::string, Volume> volumes;
  for (const Volume& volume : all<Volume>(played)) volumes[volume.name] = volume;
  std::map<std::string, size_t> classes;
  std::set<int64_t> sizes;
  std::set<std::string> zones;
  for (const Claim& claim : all<Claim>(played)) {
    ++classes[claim.storage_class];
    sizes.insert(*claim.storage >> 30);
    EXPECT_EQ(claim.bind_completed, claim.storage_class.empty());
    if (!claim.bind_completed) continue;
    const Volume& volume = volumes.at(claim.volume_name);
    EXPECT_EQ(volume.claim_namespace + "/" + volume.claim_name, model::full_name(claim));
    EXPECT_EQ(volume.storage, claim.storage);
    EXPECT_EQ(volume.csi_driver, "disk.csi.berth.dev");
    const model::Requirement& reach = volume.node_affinity->terms.at(0).match_expressions.at(0);
    EXPECT_EQ(reach.key, "topology.kubernetes.io/zone");
    zones.insert(reach.values.begin(), reach.values.end());
  }
  EXPECT_EQ(classes[""], volumes.size());
  EXPECT_GT(classes["delayed"], classes["immediate"]);
  EXPECT_GT(classes["immediate"], 50u);
  EXPECT_EQ(sizes, (std::set<int64_t>{1, 2, 3, 4}));
  EXPECT_EQ(zones, (std::set<std::string>{"a", "b"}));
}

TEST(PodClaims, VolumesOfOnePodReachTheSameNodes) {
  const Played played = play_all(workload("{each: 3, size: 1Gi, kinds: {bound: 1}}", kAtOnce));
  std::map<std::string, std::set<std::string>> zones;  // by pod
  for (const Volume& volume : all<Volume>(played))
    zones[volume.claim_name.substr(volume.claim_name.find("db"))].insert(
        volume.node_affinity->terms.at(0).match_expressions.at(0).values.at(0));
  ASSERT_EQ(zones.size(), 400u);
  for (const auto& [pod, of_pod] : zones) EXPECT_EQ(of_pod.size(), 1u) << pod;
}

TEST(PodClaims, VolumesReachANodeOrAll) {
  const auto reach = [](const std::string& topology) {
    const Played played = play_all(head(cluster() + "storage: {topology: " + topology + "}\n" +
                                        one_template("{size: 1Gi, kinds: {bound: 1}}") +
                                        "arrivals: [{atOnce: {}, pods: 9}]\n"));
    std::set<std::string> keys;
    for (const Volume& volume : all<Volume>(played))
      keys.insert(volume.node_affinity
                      ? volume.node_affinity->terms.at(0).match_expressions.at(0).key
                      : "");
    return keys;
  };
  EXPECT_EQ(reach("node"), std::set<std::string>{"kubernetes.io/hostname"});
  EXPECT_EQ(reach("all"), std::set<std::string>{""});
}

TEST(PodClaims, PlacedPodsHaveVolumesThatReachTheirNode) {
  const Played played =
      play_all(workload("{size: 1Gi, kinds: {delayed: 1}}", "placed: [{perNode: 2}]\n"));
  EXPECT_THAT(played.broken, IsEmpty());
  std::map<std::string, std::string> zones;  // by node
  for (const model::Node& node : model::objects_of<model::Node>(played.cluster))
    for (const auto& [key, value] : node.labels)
      if (key == "topology.kubernetes.io/zone") zones[node.name] = value;
  std::map<std::string, std::string> reached;  // by claim
  for (const Volume& volume : all<Volume>(played))
    reached[volume.claim_name] =
        volume.node_affinity->terms.at(0).match_expressions.at(0).values.at(0);
  const auto pods = model::objects_of<ingest::TemplatePod>(played.cluster);
  ASSERT_EQ(pods.size(), 8u);
  for (const ingest::TemplatePod& pod : pods)
    EXPECT_EQ(reached.at(pod.claims.at(0)), zones.at(pod.node_name)) << pod.name;
}

TEST(PodClaims, EndWithTheirPods) {
  const Played played = play_all(
      workload("{share: 0.5, size: 1Gi, kinds: {bound: 1, immediate: 1}}",
               "arrivals: [{constant: {rate: 100}, pods: 100, lifetime: 100ms}]\nduration: "
               "10s\n"),
      3);
  EXPECT_THAT(played.broken, IsEmpty());
  EXPECT_GT(all<Claim>(played).size(), 20u);
  EXPECT_EQ(deleted(played).size(), all<Claim>(played).size() + all<Volume>(played).size());
}

TEST(PodClaims, AllPodsOfAJobHaveThemOrNone) {
  const Played played =
      play_all(workload("{share: 0.5, size: 1Gi}",
                        "arrivals: [{atOnce: {}, pods: 200, jobs: {pods: 5}, lifetime: 1s}]\n"
                        "duration: 1m\n"));
  EXPECT_THAT(played.broken, IsEmpty());
  std::map<std::string, std::set<bool>> have;  // by Job
  for (const ArrivedPod& pod : played.pods)
    have[pod.pod.controller->name].insert(!pod.pod.spec.volumes.empty());
  size_t with = 0;
  for (const auto& [job, each] : have) {
    EXPECT_EQ(each.size(), 1u) << job;
    with += each.contains(true) ? 1 : 0;
  }
  EXPECT_GT(with, 5u);
  EXPECT_LT(with, 35u);
  EXPECT_EQ(deleted(played).size(), 5 * with);
}

// A StatefulSet's pods get the claims of their predecessors, those of other owners do not.
TEST(PodClaims, StatefulSetsKeepThem) {
  const auto scaled = [](const std::string& kind) {
    const Played played = play_all(workload(
        "{size: 1Gi}", "owners: [{kind: " + kind +
                           ", name: o, template: db, replicas: 4, scale: {every: 1s, replicas: "
                           "{uniform: {min: 0, max: 4}}}}]\nduration: 30s\n"));
    EXPECT_THAT(played.broken, IsEmpty());
    EXPECT_GT(played.pods.size(), 8u);
    return std::pair(all<Claim>(played).size(), deleted(played).size());
  };
  EXPECT_EQ(scaled("StatefulSet"), (std::pair<size_t, size_t>(4, 0)));
  const auto [made, gone] = scaled("ReplicaSet");
  EXPECT_GT(made, 8u);
  EXPECT_GT(gone, made - 5);
}

TEST(PodClaims, CsiNodesGoAndComeWithTheirNodes) {
  const Played played = play_all(
      workload("{size: 1Gi}", "churn: {failures: [{every: 1s, lasting: 100ms}]}\nduration: 5s\n"));
  EXPECT_THAT(played.broken, IsEmpty());
  EXPECT_GE(deleted(played).size(), 4u);
  EXPECT_GE(all<model::CsiNode>(played).size(), 8u);
}

}  // namespace
}  // namespace berth::loadgen
