// The tables of storage, what pods bring into them, and writes that are taken back.

#include "engine/model/volumes/volumes.h"

#include <gtest/gtest.h>

#include <utility>

#include "engine/model/cluster/cluster.h"
#include "engine/model/pods/pod_columns.h"

namespace berth::model {
namespace {

class VolumesTest : public ::testing::Test {
 protected:
  uint32_t id(std::string_view text) { return cluster_.strings().find(text); }
  Volumes& all() { return cluster_.volumes(); }

  void put_claim(const std::string& name, std::vector<std::string> modes = {"ReadWriteOnce"}) {
    PersistentVolumeClaim claim;
    claim.namespace_name = "team";
    claim.name = name;
    claim.uid = name + "-uid";
    claim.access_modes = std::move(modes);
    all().put(claim);
  }
  void put_volume(const std::string& name) {
    PersistentVolume volume;
    volume.name = name;
    volume.labels = {{"disk", "ssd"}};
    volume.node_affinity = NodeSelector{{{{{"zone", "In", {"a"}}}, {}}}};
    all().put(volume);
  }
  void put_node(const std::string& name, const std::string& zone = "a") {
    Node node;
    node.name = name;
    node.labels = {{"zone", zone}};
    cluster_.put_node(node);
  }
  const berth_claim* claim(std::string_view name) { return all().claim(id("team"), id(name)); }

  PodId add_pod(const std::string& name, const PodVolume& volume) {
    Pod pod;
    pod.name = name;
    pod.namespace_name = "team";
    pod.uid = name + "-uid";
    pod.spec.volumes = {volume};
    return cluster_.add_pod(pod);
  }
  static PodVolume named(const std::string& claim) {
    PodVolume volume;
    volume.is_claim = true;
    volume.claim = claim;
    return volume;
  }
  template <typename T>
  std::vector<T> list(std::string_view column, PodId pod) {
    const ColumnInfo& info = cluster_.catalog().info(cluster_.find_column(column));
    Gathered out;
    out.begin(info.type, info.list);
    const PodRecord* record = &cluster_.pod(pod);
    gather_pods(info, cluster_, {&record, 1}, out);
    const berth_column view = out.view();
    const T* first = static_cast<const T*>(view.data) + view.starts[0];
    return {first, first + view.sizes[0]};
  }

  Cluster cluster_;
};

TEST_F(VolumesTest, ObjectsAreFoundUntilTheyAreRemoved) {
  put_claim("data");
  put_volume("disk-1");
  ASSERT_NE(claim("data"), nullptr);
  EXPECT_EQ(cluster_.text(claim("data")->uid), "data-uid");
  EXPECT_EQ(claim("data")->access_modes, BERTH_READ_WRITE_ONCE);
  ASSERT_EQ(all().volume(id("disk-1"))->label_count, 1u);
  EXPECT_EQ(all().volume(id("disk-1"))->labels[0], id("disk"));
  EXPECT_EQ(all().volume(id("disk-1"))->labels[1], id("ssd"));
  EXPECT_EQ(all().size(), 2u);
  PersistentVolumeClaim gone;
  gone.namespace_name = "team";
  gone.name = "data";
  EXPECT_TRUE(all().remove(gone));
  EXPECT_FALSE(all().remove(gone));
  EXPECT_EQ(claim("data"), nullptr);
}

TEST_F(VolumesTest, TextsAndSelectorsGoWithTheirObject) {
  put_volume("disk-1");
  const uint32_t selector = all().volume(id("disk-1"))->node_affinity;
  cluster_.collect(Cluster::Retired::kAll);
  EXPECT_TRUE(cluster_.selectors().contains(selector));
  EXPECT_NE(id("disk-1"), 0u);
  PersistentVolume gone;
  gone.name = "disk-1";
  EXPECT_TRUE(all().remove(gone));
  cluster_.collect(Cluster::Retired::kAll);
  EXPECT_FALSE(cluster_.selectors().contains(selector));
  EXPECT_EQ(id("disk-1"), 0u);
}

TEST_F(VolumesTest, EachKindIsListedOnce) {
  for (const char* name : {"a", "b", "c"}) put_claim(name);
  size_t seen = 0;
  for (const berth_claim* at = all().next(static_cast<const berth_claim*>(nullptr)); at != nullptr;
       at = all().next(at))
    ++seen;
  EXPECT_EQ(seen, 3u);
}

TEST_F(VolumesTest, AssumptionsAreTakenBack) {
  put_claim("data");
  put_volume("disk-1");
  const uint32_t volume = id("disk-1");
  const uint64_t before = all().version();
  EXPECT_TRUE(all().assume_volume(1, volume, *claim("data")));
  EXPECT_NE(all().version(), before);
  EXPECT_EQ(all().volume(volume)->claim_name, id("data"));
  EXPECT_NE(all().volume(volume)->flags & BERTH_VOLUME_ASSUMED, 0u);
  EXPECT_EQ(all().written_volume(volume)->claim_name, 0u);
  EXPECT_EQ(all().assumed(), 1u);
  all().forget_volume(2, volume);
  EXPECT_EQ(all().assumed(), 1u) << "another pod assumed nothing";
  all().forget_volume(1, volume);
  EXPECT_EQ(all().volume(volume)->claim_name, 0u);
  EXPECT_EQ(all().volume(volume)->flags & BERTH_VOLUME_HAS_CLAIM, 0u);

  const uint32_t node = cluster_.strings().intern("node-1");
  EXPECT_TRUE(all().assume_claim(1, id("team"), id("data"), node));
  EXPECT_EQ(claim("data")->selected_node, node);
  EXPECT_EQ(all().written_claim(id("team"), id("data"))->selected_node, 0u);
  all().forget_claim(1, id("team"), id("data"));
  EXPECT_EQ(claim("data")->selected_node, 0u);
  EXPECT_FALSE(all().assume_claim(1, id("team"), node, node));
  EXPECT_EQ(all().assumed(), 0u);
}

TEST_F(VolumesTest, APodTakesBackWhatNoOtherAssumes) {
  put_claim("data");
  put_volume("disk-1");
  const uint32_t node = cluster_.strings().intern("node-1"), volume = id("disk-1");
  for (const uint64_t pod : {1, 2}) {
    all().assume_claim(pod, id("team"), id("data"), node);
    all().assume_volume(pod, volume, *claim("data"));
  }
  all().forget_claim(1, id("team"), id("data"));
  all().forget_claim(1, id("team"), id("data"));
  all().forget_volume(1, volume);
  EXPECT_EQ(claim("data")->selected_node, node);
  EXPECT_EQ(all().volume(volume)->claim_name, id("data"));
  all().forget_claim(2, id("team"), id("data"));
  all().forget_volume(2, volume);
  EXPECT_EQ(all().assumed(), 0u);
}

TEST_F(VolumesTest, AnObjectThatIsPutEndsWhatWasAssumedOfIt) {
  put_claim("data");
  const uint32_t node = cluster_.strings().intern("node-1");
  all().assume_claim(1, id("team"), id("data"), node);
  put_claim("data");
  EXPECT_EQ(claim("data")->selected_node, 0u);
  EXPECT_FALSE(all().write_claim(1, id("team"), id("data"), node)) << "it changed meanwhile";
  all().assume_claim(2, id("team"), id("data"), node);
  all().forget_claim(1, id("team"), id("data"));
  EXPECT_EQ(claim("data")->selected_node, node);
  all().forget_claim(2, id("team"), id("data"));
  EXPECT_EQ(claim("data")->selected_node, 0u);
}

TEST_F(VolumesTest, TextsOfAssumptionsGoWithThem) {
  put_claim("data");
  cluster_.collect(Cluster::Retired::kAll);
  const uint32_t count = cluster_.strings().count();
  for (int i = 0; i < 100; ++i) {
    const uint32_t node = cluster_.strings().intern_counted("node-" + std::to_string(i));
    all().assume_claim(1, id("team"), id("data"), node);
    if (i % 2 == 0) all().forget_claim(1, id("team"), id("data"));
  }
  all().forget_claim(1, id("team"), id("data"));
  cluster_.collect(Cluster::Retired::kAll);
  EXPECT_EQ(cluster_.strings().count(), count);
}

TEST_F(VolumesTest, WritesLeaveAsObjects) {
  put_claim("data");
  put_volume("disk-1");
  const uint32_t node = cluster_.strings().intern("node-1"), volume = id("disk-1");
  EXPECT_FALSE(all().write_volume(1, volume, *claim("data"))) << "it is not assumed";
  for (const uint64_t pod : {1, 2}) {
    all().assume_volume(pod, volume, *claim("data"));
    all().assume_claim(pod, id("team"), id("data"), node);
    EXPECT_TRUE(all().write_volume(pod, volume, *claim("data")));
    EXPECT_TRUE(all().write_claim(pod, id("team"), id("data"), node));
  }
  std::vector<VolumeObject> written;
  while (const auto object = all().next_write()) {
    written.push_back(*object);
    all().put(*object);
  }
  ASSERT_EQ(written.size(), 2u) << "the second pod wrote the same";
  const auto& one = std::get<PersistentVolume>(written[0]);
  EXPECT_EQ(one.claim_name, "data");
  EXPECT_EQ(one.claim_uid, "data-uid");
  EXPECT_EQ(one.labels, (StringMap{{"disk", "ssd"}}));
  EXPECT_EQ(one.node_affinity->terms[0].match_expressions[0].key, "zone");
  const auto& other = std::get<PersistentVolumeClaim>(written[1]);
  EXPECT_EQ(other.selected_node, "node-1");
  EXPECT_EQ(other.uid, "data-uid");
  EXPECT_EQ(other.access_modes, std::vector<std::string>{"ReadWriteOnce"});
  EXPECT_EQ(all().assumed(), 0u);
  EXPECT_EQ(claim("data")->selected_node, node);
  // What is written so needs no assumption, and no write.
  EXPECT_TRUE(all().assume_volume(3, volume, *claim("data")));
  EXPECT_TRUE(all().write_volume(3, volume, *claim("data")));
  EXPECT_EQ(all().assumed(), 0u);
  EXPECT_FALSE(all().next_write());
}

TEST_F(VolumesTest, AClaimIsUsedWhileAPodThatNamesItCountsOnANode) {
  put_node("node-1");
  put_claim("data", {"ReadWriteOncePod"});
  const PodId pod = add_pod("web", named("data"));
  EXPECT_EQ(claim("data")->flags & BERTH_CLAIM_USED, 0u);
  const uint64_t before = all().version();
  cluster_.place(pod, "node-1");
  EXPECT_NE(claim("data")->flags & BERTH_CLAIM_USED, 0u);
  EXPECT_NE(all().version(), before);
  put_claim("data", {"ReadWriteOncePod"});
  EXPECT_NE(claim("data")->flags & BERTH_CLAIM_USED, 0u) << "a new object, the same user";
  cluster_.unplace(pod);
  EXPECT_EQ(claim("data")->flags & BERTH_CLAIM_USED, 0u);
}

// Scheduling sees pods on nodes that exist; a claim is protected whatever its pods' nodes.
TEST_F(VolumesTest, PodsOnNodesThatDoNotExistDoNotUseAClaim) {
  put_claim("data", {"ReadWriteOncePod"});
  const PodId pod = add_pod("web", named("data"));
  const uint64_t key = claim_key(id("team"), id("data"));
  const auto used = [&] { return (claim("data")->flags & BERTH_CLAIM_USED) != 0; };
  uint64_t version = all().version();
  const auto changed = [&] { return std::exchange(version, all().version()) != version; };
  cluster_.place(pod, "node-1");
  EXPECT_FALSE(used()) << "the node was never seen";
  EXPECT_FALSE(changed());
  put_node("node-1");
  EXPECT_TRUE(used());
  EXPECT_TRUE(changed());
  put_node("node-1", "b");  // an update counts nothing again
  cluster_.remove_node("node-1");
  EXPECT_FALSE(used());
  EXPECT_TRUE(changed());
  EXPECT_EQ(all().users(key).by_name, 1u);
  put_claim("data", {"ReadWriteOncePod"});
  EXPECT_FALSE(used()) << "a new object, the same user";
  put_node("node-1");
  EXPECT_TRUE(used()) << "the node is back";
  cluster_.remove_node("node-1");
  cluster_.unplace(pod);
  EXPECT_FALSE(all().users(key).any());
  put_node("node-1");
  EXPECT_FALSE(used());
}

TEST_F(VolumesTest, NodesListTheVolumesOfTheirPods) {
  put_node("node-1");
  cluster_.order_rows();
  const PodId pod = add_pod("web", named("data"));
  const auto on_node = [&] { return cluster_.view(cluster_.find_column("node.claims")).sizes[0]; };
  EXPECT_EQ(on_node(), 0u);
  cluster_.place(pod, "node-1");
  EXPECT_EQ(on_node(), 1u);
  cluster_.unplace(pod);
  EXPECT_EQ(on_node(), 0u);
}

TEST_F(VolumesTest, ClaimsOfEphemeralVolumesBelongToTheirPod) {
  PodVolume volume = named("scratch");
  volume.ephemeral = true;
  const PodId pod = add_pod("web", volume);
  const uint64_t key = claim_key(id("team"), id("web-scratch"));
  EXPECT_EQ(list<uint64_t>("pod.claims", pod), std::vector<uint64_t>{key});
  EXPECT_EQ(list<uint32_t>("pod.claim_owners", pod), std::vector<uint32_t>{id("web-uid")});
}

TEST_F(VolumesTest, OnlyPodsWithVolumesFollowTheTables) {
  const PodId with = add_pod("web", named("data"));
  Pod plain;
  plain.name = "plain";
  plain.namespace_name = "team";
  const PodId without = cluster_.add_pod(plain);
  const ColumnInfo& info = cluster_.catalog().info(cluster_.find_column("pod.volumes_version"));
  const auto identity = [&](PodId pod) {
    std::string bytes;
    append_identity(info, cluster_, cluster_.pod(pod), bytes);
    return bytes;
  };
  const std::string before = identity(with), plain_before = identity(without);
  const uint64_t context = cluster_.pod_context();
  put_claim("data");
  EXPECT_NE(cluster_.pod_context(), context);
  EXPECT_NE(identity(with), before);
  EXPECT_EQ(identity(without), plain_before);
}

}  // namespace
}  // namespace berth::model
