#include "engine/kube/kinds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "engine/ingest/objects/objects.h"
#include "engine/ingest/validation/read_kinds.h"

namespace berth::kube {
namespace {

std::string api_version(const ServedKind& kind) {
  return kind.group.empty() ? std::string(kind.version)
                            : std::string(kind.group) + "/" + std::string(kind.version);
}

// The kinds that ingest reads as objects of a cluster, with their groups and versions.
std::set<std::string> kinds_read() {
  std::set<std::string> kinds;
  std::istringstream names(ingest::read_kind_names());
  for (std::string name; names >> name;) {
    if (name.ends_with(',')) name.pop_back();
    const ingest::ReadKind* kind = ingest::find_kind(name);
    if (kind == nullptr) throw std::logic_error(name);
    // A request is nothing that a server lists. What kubelets do is played in runs alone.
    const std::string_view group = ingest::group_of(kind->api_version);
    const bool of_kubelets = group == "kubelet.config.k8s.io" || group == "metrics.k8s.io";
    if (kind->use != ingest::ReadKind::Use::kPolicy && name != "Eviction" && !of_kubelets)
      kinds.insert(std::string(kind->api_version) + " " + name);
  }
  return kinds;
}

// A kind that is read is listed and watched, and no other.
TEST(Kinds, AreThoseThatIngestReads) {
  std::set<std::string> served;
  for (const ServedKind& kind : served_kinds()) {
    EXPECT_TRUE(served.insert(api_version(kind) + " " + std::string(kind.name)).second);
    EXPECT_TRUE(kind.name == "Pod" || ingest::is_object(kind.name, api_version(kind)));
  }
  EXPECT_EQ(served, kinds_read());
}

TEST(Kinds, AreFoundByName) {
  ASSERT_NE(find_served("ReplicaSet"), nullptr);
  EXPECT_EQ(find_served("ReplicaSet")->resource, "replicasets");
  EXPECT_EQ(find_served("replicasets"), nullptr);
  EXPECT_EQ(find_served("PriorityClass"), nullptr);
}

// As kube-scheduler lists them, recorded from a server of v1.36; PodGroups are of a custom
// resource.
TEST(Kinds, HaveTheirPaths) {
  std::set<std::string> paths;
  for (const ServedKind& kind : served_kinds()) paths.insert(list_path(kind));
  EXPECT_THAT(
      paths,
      testing::UnorderedElementsAre(
          "/api/v1/namespaces", "/api/v1/nodes", "/api/v1/persistentvolumeclaims",
          "/api/v1/persistentvolumes", "/api/v1/pods", "/api/v1/replicationcontrollers",
          "/api/v1/services", "/apis/apps/v1/replicasets", "/apis/apps/v1/statefulsets",
          "/apis/policy/v1/poddisruptionbudgets", "/apis/scheduling.x-k8s.io/v1alpha1/podgroups",
          "/apis/storage.k8s.io/v1/csidrivers", "/apis/storage.k8s.io/v1/csinodes",
          "/apis/storage.k8s.io/v1/csistoragecapacities", "/apis/storage.k8s.io/v1/storageclasses",
          "/apis/storage.k8s.io/v1/volumeattachments"));
}

TEST(Kinds, HavePathsOfObjects) {
  const ServedKind& pod = *find_served("Pod");
  EXPECT_EQ(object_path(pod, "default", "web-0"), "/api/v1/namespaces/default/pods/web-0");
  for (const char* subresource : {"binding", "status", "eviction"})
    EXPECT_EQ(object_path(pod, "default", "web-0", subresource),
              std::string("/api/v1/namespaces/default/pods/web-0/") + subresource);
  EXPECT_EQ(object_path(*find_served("Node"), "", "n.example"), "/api/v1/nodes/n.example");
  EXPECT_EQ(object_path(*find_served("Namespace"), "", "default"), "/api/v1/namespaces/default");
  EXPECT_EQ(object_path(*find_served("PodGroup"), "a", "g", "status"),
            "/apis/scheduling.x-k8s.io/v1alpha1/namespaces/a/podgroups/g/status");
}

TEST(Kinds, HaveNamesThatNeedNoEncoding) {
  for (const char* name : {"a", "web-0.example", "a:b", "A_~!$&'()*+,;=@"})
    EXPECT_TRUE(is_path_segment(name)) << name;
  for (const char* name : {"",         ".",  "..", "a/b", "a?", "#", "a%20b", "a b", "a\n", "\x7f",
                           "\xc3\xa4", "\"", "<",  ">",   "\\", "^", "`",     "{",   "|",   "}"})
    EXPECT_FALSE(is_path_segment(name)) << name;
}

TEST(Kinds, HavePathsOfCollections) {
  EXPECT_EQ(collection_path(*find_served("ReplicaSet"), "a"),
            "/apis/apps/v1/namespaces/a/replicasets");
  EXPECT_EQ(collection_path(*find_served("Node"), ""), "/api/v1/nodes");
}

TEST(KindsDeathTest, TakeNamesOfTheServerAlone) {
  const ServedKind& pod = *find_served("Pod");
  EXPECT_DEATH(object_path(pod, "default", "../nodes"), "assertion failed");
  EXPECT_DEATH(object_path(pod, "", "web-0"), "assertion failed");
  EXPECT_DEATH(object_path(*find_served("Node"), "default", "n"), "assertion failed");
}

// Finished pods are none of the scheduler's business; every other kind is read as a whole.
TEST(Kinds, OnlyPodsAreSelected) {
  for (const ServedKind& kind : served_kinds())
    EXPECT_EQ(kind.field_selector,
              kind.name == "Pod" ? "status.phase!=Succeeded,status.phase!=Failed" : "");
}

}  // namespace
}  // namespace berth::kube
