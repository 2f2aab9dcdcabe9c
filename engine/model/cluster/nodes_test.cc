// Nodes: their order, their rows, and what counts on them.

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "engine/model/cluster/cluster.h"
#include "engine/model/cluster/node_tree.h"

namespace berth::model {
namespace {

constexpr char kZoneLabel[] = "topology.kubernetes.io/zone";
constexpr char kRegionLabel[] = "topology.kubernetes.io/region";
constexpr char kBetaZone[] = "failure-domain.beta.kubernetes.io/zone";
constexpr char kBetaRegion[] = "failure-domain.beta.kubernetes.io/region";

using Names = std::vector<std::string>;

TEST(ZoneKey, IsRegionAndZoneTogether) {
  EXPECT_EQ(zone_key({}), "");
  EXPECT_EQ(zone_key({{"other", "x"}}), "");
  EXPECT_NE(zone_key({{kZoneLabel, "a"}}), zone_key({{kRegionLabel, "a"}}));
  EXPECT_NE(zone_key({{kZoneLabel, "a"}}), zone_key({{kRegionLabel, "r"}, {kZoneLabel, "a"}}));
  // Empty labels are as good as none.
  EXPECT_EQ(zone_key({{kRegionLabel, ""}, {kZoneLabel, ""}}), "");
  EXPECT_EQ(zone_key({{kRegionLabel, ""}, {kZoneLabel, "a"}}), zone_key({{kZoneLabel, "a"}}));
}

TEST(ZoneKey, BetaLabelsWinWhereTheyArePresent) {
  EXPECT_EQ(zone_key({{kBetaZone, "b"}, {kZoneLabel, "a"}}), zone_key({{kZoneLabel, "b"}}));
  EXPECT_EQ(zone_key({{kBetaRegion, "s"}, {kRegionLabel, "r"}}), zone_key({{kRegionLabel, "s"}}));
  EXPECT_EQ(zone_key({{kBetaZone, ""}, {kZoneLabel, "a"}}), "");
}

TEST(NodeTree, ZonesTakeTurns) {
  NodeTree tree;
  tree.add(1, "a");
  tree.add(2, "a");
  tree.add(3, "a");
  tree.add(4, "b");
  tree.add(5, "");
  tree.add(6, "b");
  EXPECT_EQ(tree.size(), 6u);
  EXPECT_EQ(tree.order(), (std::vector<uint32_t>{1, 4, 5, 2, 6, 3}));
}

TEST(NodeTree, AZoneThatIsEmptyIsForgotten) {
  NodeTree tree;
  tree.add(1, "a");
  tree.add(2, "b");
  tree.remove(1, "a");
  EXPECT_EQ(tree.order(), (std::vector<uint32_t>{2}));
  tree.add(3, "a");  // it comes up anew, behind
  EXPECT_EQ(tree.order(), (std::vector<uint32_t>{2, 3}));
  tree.remove(2, "b");
  tree.remove(3, "a");
  EXPECT_EQ(tree.size(), 0u);
  EXPECT_TRUE(tree.order().empty());
}

TEST(NodeTree, RemovalKeepsTheOthersInOrder) {
  NodeTree tree;
  for (uint32_t node = 1; node <= 4; ++node) tree.add(node, "a");
  tree.remove(2, "a");
  EXPECT_EQ(tree.order(), (std::vector<uint32_t>{1, 3, 4}));
}

// The tree says so exactly when the order ends with the node.
TEST(NodeTree, TellsWhichNodeIsLast) {
  NodeTree tree;
  std::vector<std::pair<uint32_t, std::string>> nodes;
  uint32_t seed = 1;
  for (uint32_t node = 0; node < 2000; ++node) {
    seed = seed * 1664525 + 1013904223;
    if (nodes.size() > 12 && seed >> 30 == 0) {
      const size_t gone = (seed >> 8) % nodes.size();
      tree.remove(nodes[gone].first, nodes[gone].second);
      nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(gone));
    }
    const std::string zone(1, static_cast<char>('a' + (seed >> 16) % 5));
    nodes.emplace_back(node, zone);
    const bool last = tree.add(node, zone);
    ASSERT_EQ(last, tree.order().back() == node) << node;
  }
}

class Rows : public testing::Test {
 protected:
  static Node node(const std::string& name, const std::string& zone = "") {
    Node node;
    node.name = name;
    if (!zone.empty()) node.labels = {{kZoneLabel, zone}};
    return node;
  }

  void put(const std::string& name, const std::string& zone = "") {
    cluster_.put_node(node(name, zone));
  }

  // As a decision would find them.
  Names order() {
    cluster_.order_rows();
    Names names;
    for (Row row = 0; row < cluster_.nodes().rows(); ++row)
      names.emplace_back(cluster_.node_name(row));
    return names;
  }

  template <typename T = int64_t>
  T value(const std::string& column, const std::string& node) {
    berth_column view = cluster_.view(cluster_.find_column(column));
    Slot slot = cluster_.nodes().find(cluster_.strings().find(node));
    return static_cast<const T*>(view.data)[cluster_.nodes().row_of(slot)];
  }

  PodId pod(const std::string& name, int64_t milli_cpu = 0, const std::string& nominated = "") {
    Pod pod;
    pod.namespace_name = "default";
    pod.name = name;
    Container container;
    if (milli_cpu != 0) container.requests = {{"cpu", Quantity::from_milli(milli_cpu)}};
    pod.spec.containers = {container};
    pod.nominated_node_name = nominated;
    return cluster_.add_pod(pod);
  }

  Cluster cluster_;
};

TEST_F(Rows, StandInSearchOrder) {
  put("a1", "a");
  put("a2", "a");
  put("b1", "b");
  EXPECT_EQ(order(), (Names{"a1", "b1", "a2"}));
  put("c1", "c");
  EXPECT_EQ(order(), (Names{"a1", "b1", "c1", "a2"}));
  EXPECT_TRUE(cluster_.remove_node("a1"));
  EXPECT_EQ(order(), (Names{"a2", "b1", "c1"}));
  EXPECT_FALSE(cluster_.remove_node("a1"));
  EXPECT_FALSE(cluster_.remove_node("never"));
}

TEST_F(Rows, ColumnsFollowTheOrder) {
  cluster_.find_column("node.name");
  cluster_.find_column("node.row");
  put("a1", "a");
  put("a2", "a");
  put("b1", "b");
  cluster_.place(pod("p", 300), "a2");
  order();
  for (const char* name : {"a1", "a2", "b1"})
    EXPECT_EQ(cluster_.text(value<uint32_t>("node.name", name)), name);
  EXPECT_EQ(value("node.pods", "a2"), 1);
  EXPECT_EQ(value("node.pods", "b1"), 0);
  EXPECT_EQ(value("node.requested:cpu", "a2"), 300);
  EXPECT_EQ(value<uint32_t>("node.row", "b1"), 1u);
  EXPECT_EQ(value<uint32_t>("node.row", "a2"), 2u);
}

TEST_F(Rows, AZoneChangeShowsAtTheNextNewOrderOnly) {
  put("a1", "a");
  put("a2", "a");
  put("b1", "b");
  order();
  put("a1", "b");
  EXPECT_EQ(order(), (Names{"a1", "b1", "a2"}));
  put("c1", "c");  // the tree says a: a2; b: b1, a1; c: c1
  EXPECT_EQ(order(), (Names{"a2", "b1", "c1", "a1"}));
}

// A node that went and came back before the next decision is no new node; where the tree has it
// shows when something else makes a new order.
TEST_F(Rows, ANodeThatCameBackKeepsItsPlace) {
  put("a1", "a");
  put("a2", "a");
  put("a3", "a");
  order();
  cluster_.remove_node("a1");
  put("a1", "a");
  EXPECT_EQ(order(), (Names{"a1", "a2", "a3"}));
  put("a4", "a");
  EXPECT_EQ(order(), (Names{"a2", "a3", "a1", "a4"}));
}

TEST_F(Rows, ANodeThatCameAndWentLeavesNoRow) {
  put("a1", "a");
  put("a2", "a");
  cluster_.find_column("node.pods");
  order();
  put("a3", "a");
  cluster_.remove_node("a3");
  EXPECT_EQ(order(), (Names{"a1", "a2"}));
  EXPECT_EQ(cluster_.view(cluster_.find_column("node.pods")).count, 2u);
  EXPECT_EQ(
      static_cast<const int64_t*>(cluster_.view(cluster_.find_column("cluster.nodes")).data)[0], 2);
  put("a3", "a");
  EXPECT_EQ(order(), (Names{"a1", "a2", "a3"}));
}

TEST_F(Rows, ComingAndGoingBesideOneThatCameBackLeavesNoRowEither) {
  put("a1", "a");
  put("a2", "a");
  order();
  put("new", "a");
  cluster_.remove_node("a1");
  cluster_.remove_node("new");
  put("a1", "a");
  EXPECT_EQ(order(), (Names{"a1", "a2"}));
}

TEST_F(Rows, OneForAnotherIsANewOrder) {
  put("a1", "a");
  put("a2", "a");
  order();
  cluster_.remove_node("a1");
  put("a3", "a");
  EXPECT_EQ(order(), (Names{"a2", "a3"}));
}

TEST_F(Rows, PodsCountWhereTheySayBeforeAndAfterTheNodeIsThere) {
  cluster_.place(pod("early", 100), "later");
  EXPECT_EQ(cluster_.nodes().rows(), 0u);
  put("later");
  order();
  EXPECT_EQ(value("node.pods", "later"), 1);
  EXPECT_EQ(value("node.requested:cpu", "later"), 100);
  cluster_.remove_node("later");
  order();
  cluster_.place(pod("meanwhile", 20), "later");
  put("later");
  order();
  EXPECT_EQ(value("node.pods", "later"), 2);
  EXPECT_EQ(value("node.requested:cpu", "later"), 120);
}

TEST_F(Rows, APodIsPlacedOnce) {
  put("n");
  const PodId p = pod("p", 5);
  EXPECT_FALSE(cluster_.pod(p).placed());
  cluster_.place(p, "n");
  EXPECT_TRUE(cluster_.pod(p).placed());
  EXPECT_EQ(cluster_.placed_pods(), 1u);
  EXPECT_EQ(value("node.pods", "n"), 1);
  EXPECT_DEATH(cluster_.place(p, "n"), "");
  cluster_.unplace(p);
  EXPECT_FALSE(cluster_.pod(p).placed());
  EXPECT_EQ(cluster_.placed_pods(), 0u);
  EXPECT_EQ(value("node.pods", "n"), 0);
  EXPECT_EQ(value("node.requested:cpu", "n"), 0);
}

// The last pod takes a removed one's place, and is found there afterwards.
TEST_F(Rows, RemovalSwapsTheLastIn) {
  put("n");
  std::vector<PodId> pods;
  for (const char* name : {"p0", "p1", "p2", "p3"}) {
    pods.push_back(pod(name, 1 + static_cast<int64_t>(pods.size())));
    cluster_.place(pods.back(), "n");
  }
  auto templates = [&] {
    std::vector<TemplateId> all;
    Slot slot = cluster_.nodes().find(cluster_.strings().find("n"));
    for (const PodOnNode& p : cluster_.nodes().pods(slot)) all.push_back(p.pod_template);
    return all;
  };
  std::vector<TemplateId> ids;
  for (const PodId p : pods) ids.push_back(cluster_.pod(p).pod_template);
  auto id = [&](size_t i) { return ids[i]; };
  cluster_.remove_pod(pods[0]);
  EXPECT_EQ(templates(), (std::vector<TemplateId>{id(3), id(1), id(2)}));
  cluster_.remove_pod(pods[3]);
  EXPECT_EQ(templates(), (std::vector<TemplateId>{id(2), id(1)}));
  cluster_.remove_pod(pods[1]);
  EXPECT_EQ(templates(), (std::vector<TemplateId>{id(2)}));
  EXPECT_EQ(value("node.requested:cpu", "n"), 3);
}

TEST_F(Rows, PortsInUseAreASet) {
  put("n");
  Pod object;
  object.namespace_name = "default";
  Container container;
  container.ports = {{"", "", 80}, {"", "TCP", 80}, {"10.0.0.1", "UDP", 53}, {"", "", 0}};
  object.spec.containers = {container};
  object.name = "first";
  const PodId first = cluster_.add_pod(object);
  object.name = "second";
  const PodId second = cluster_.add_pod(object);
  const Slot n = cluster_.nodes().find(cluster_.strings().find("n"));
  auto ports = [&] { return cluster_.nodes().node(n).ports.size(); };
  cluster_.place(first, "n");
  EXPECT_EQ(ports(), 2u);
  cluster_.place(second, "n");
  EXPECT_EQ(ports(), 2u);
  cluster_.remove_pod(first);  // frees the ports of both
  EXPECT_EQ(ports(), 0u);
  cluster_.update_pod(second, PodRecord(cluster_.pod(second)));  // as if it came again
  EXPECT_EQ(ports(), 2u);
  cluster_.remove_pod(second);
  EXPECT_EQ(ports(), 0u);
}

TEST_F(Rows, ImagesCountTheirNodes) {
  Node object = node("n");
  object.images = {{{"a:1", "a@sha256:1"}, 100}, {{"b:1"}, 7}, {{"a:1"}, 300}};
  cluster_.put_node(object);
  Pod wants;
  wants.spec.containers.resize(2);
  wants.spec.containers[0].image = "a:1";
  wants.spec.containers[1].image = "b:1";
  const std::vector<uint32_t> codes =
      cluster_.templates()[cluster_.record_of(wants).pod_template].images;
  auto nodes_with = [&](size_t i) {
    return static_cast<const int64_t*>(
        cluster_.view(cluster_.find_column("image.nodes")).data)[codes[i]];
  };
  EXPECT_EQ(nodes_with(0), 1);  // listed twice, counted once
  Slot slot = cluster_.nodes().find(cluster_.strings().find("n"));
  const auto& n = cluster_.nodes().node(slot);
  ASSERT_EQ(n.images.size(), 3u);
  EXPECT_EQ(n.image_sizes[0], 100);  // and its first size is the one
  object.name = "m";
  cluster_.put_node(object);
  EXPECT_EQ(nodes_with(0), 2);
  object.images = {{{"b:1"}, 7}};
  cluster_.put_node(object);
  EXPECT_EQ(nodes_with(0), 1);
  EXPECT_EQ(nodes_with(1), 2);
  cluster_.remove_node("n");
  EXPECT_EQ(nodes_with(0), 0);
  EXPECT_EQ(nodes_with(1), 1);
}

TEST_F(Rows, ImagesOfVolumesHaveTheCodesOfOthers) {
  Pod mounts;
  mounts.spec.containers.resize(1);
  mounts.spec.containers[0].image = "a";
  mounts.spec.volumes.resize(2);
  mounts.spec.volumes[0].image = "b:1";
  mounts.spec.volumes[1].image = "a:latest";
  const auto& made = cluster_.templates()[cluster_.record_of(mounts).pod_template];
  ASSERT_EQ(made.volume_images.size(), 2u);
  EXPECT_NE(made.volume_images[0], made.images[0]);
  EXPECT_EQ(made.volume_images[1], made.images[0]);
}

TEST(ImageNames, GetATag) {
  EXPECT_EQ(normalised_image("nginx"), "nginx:latest");
  EXPECT_EQ(normalised_image("nginx:1"), "nginx:1");
  EXPECT_EQ(normalised_image("host:5000/nginx"), "host:5000/nginx:latest");
  EXPECT_EQ(normalised_image("host:5000/nginx:1"), "host:5000/nginx:1");
  EXPECT_EQ(normalised_image("nginx@sha256:abc"), "nginx@sha256:abc");
  EXPECT_EQ(normalised_image(""), ":latest");
}

TEST_F(Rows, EqualTaintListsShareACode) {
  auto tainted = [](const std::string& name, std::vector<Taint> taints) {
    Node n = node(name);
    n.taints = std::move(taints);
    return n;
  };
  Taint a{"k", "v", "NoSchedule"}, b{"k", "v", "NoExecute"};
  cluster_.put_node(tainted("none", {}));
  cluster_.put_node(tainted("a", {a}));
  cluster_.put_node(tainted("ab", {a, b}));
  cluster_.put_node(tainted("ba", {b, a}));
  cluster_.put_node(tainted("again", {a, b}));
  order();
  auto code = [&](const char* name) { return value<uint32_t>("node.taints", name); };
  EXPECT_EQ(code("none"), 0u);
  EXPECT_EQ(code("ab"), code("again"));
  EXPECT_NE(code("ab"), code("ba"));
  EXPECT_NE(code("a"), code("ab"));
  berth_column taints = cluster_.view(cluster_.find_column("node.taints"));
  EXPECT_EQ(taints.dictionary_size, 4u);
  berth_column effects = cluster_.view(cluster_.find_column("taint_set.effects"));
  EXPECT_EQ(effects.count, 4u);
  EXPECT_EQ(effects.sizes[code("ba")], 2u);
  EXPECT_EQ(cluster_.text(static_cast<const uint32_t*>(effects.data)[effects.starts[code("ba")]]),
            "NoExecute");
}

TEST_F(Rows, SelectorColumnsFollowLabels) {
  Pod wants;
  wants.spec.node_selector = {{kZoneLabel, "a"}};
  NodeSelectors::Handle handle =
      cluster_.templates()[cluster_.record_of(wants).pod_template].node_selector;
  std::string column = "node.matches:" + std::to_string(handle);
  EXPECT_EQ(cluster_.find_column("node.matches:" + std::to_string(handle + 1)), 0u);
  put("x", "a");
  put("y", "b");
  order();
  EXPECT_EQ(value<uint8_t>(column, "x"), 1);
  EXPECT_EQ(value<uint8_t>(column, "y"), 0);
  put("y", "a");
  EXPECT_EQ(value<uint8_t>(column, "y"), 1);
}

TEST_F(Rows, NominationsComeAndGo) {
  put("n");
  const PodId p = pod("p", 0, "n"), q = pod("q", 0, "n");
  cluster_.nominate(pod("none"));
  EXPECT_TRUE(cluster_.nodes().nominations().slots().empty());
  cluster_.nominate(p);
  cluster_.nominate(q);
  Slot slot = cluster_.nodes().find(cluster_.pod(p).nominated_node);
  EXPECT_EQ(cluster_.nodes().nominations().slots(), (std::vector<Slot>{slot}));
  EXPECT_EQ(cluster_.nodes().nominations().at(slot).size(), 2u);
  cluster_.nominate(q);
  EXPECT_EQ(cluster_.nodes().nominations().at(slot).size(), 2u);
  cluster_.withdraw_nomination(p);
  cluster_.withdraw_nomination(p);
  EXPECT_EQ(cluster_.nodes().nominations().at(slot).size(), 1u);
  cluster_.remove_pod(q);  // its nomination goes with it
  EXPECT_TRUE(cluster_.nodes().nominations().slots().empty());
}

// A pod keeps its id, its node and its order in the queue when it is updated; what it counts for
// on its node follows the update.
TEST_F(Rows, AnUpdateChangesWhatThePodCountsFor) {
  put("n");
  const PodId p = pod("p", 5);
  cluster_.place(p, "n");
  cluster_.set_queue_time(p, 3, 2);
  Pod heavier;
  heavier.namespace_name = "default";
  heavier.name = "p";
  heavier.spec.priority = 7;
  heavier.spec.containers.resize(1);
  heavier.spec.containers[0].requests = {{"cpu", Quantity::from_milli(50)}};
  cluster_.update_pod(p, cluster_.record_of(heavier));
  EXPECT_EQ(value("node.requested:cpu", "n"), 50);
  EXPECT_EQ(value("node.pods", "n"), 1);
  EXPECT_EQ(cluster_.pod(p).priority, 7);
  EXPECT_EQ(cluster_.pod(p).queue_time, 3u);
  EXPECT_EQ(cluster_.pod(p).arrival, 2u);
  EXPECT_EQ(cluster_.find_pod("default", "p"), p);
}

TEST_F(Rows, NamespacesComeAndGo) {
  cluster_.put_namespace({"team", {{"a", "b"}}});
  cluster_.put_namespace({"team", {}});
  EXPECT_EQ(cluster_.namespaces(), 1u);
  EXPECT_FALSE(cluster_.remove_namespace("other"));
  EXPECT_TRUE(cluster_.remove_namespace("team"));
  EXPECT_FALSE(cluster_.remove_namespace("team"));
}

TEST_F(Rows, SumsWrapAndComeBack) {
  put("n");
  Pod object;
  object.namespace_name = "default";
  Container container;
  container.requests = {{"memory", Quantity::from_units(INT64_MAX)}};
  object.spec.containers = {container};
  std::vector<PodId> pods;
  for (const char* name : {"a", "b", "c"}) {
    object.name = name;
    pods.push_back(cluster_.add_pod(object));
    cluster_.place(pods.back(), "n");
  }
  cluster_.find_column("node.requested:memory");
  for (const PodId p : pods) cluster_.remove_pod(p);
  EXPECT_EQ(value("node.requested:memory", "n"), 0);
  EXPECT_EQ(value("node.nonzero_requested:memory", "n"), 0);
}

// The selector of a DaemonSet's pod: only the named nodes are looked at when the column is made.
TEST(NodeMatches, ByNameAndByLabelsIsTheSameForAllNodes) {
  Cluster cluster;
  for (const char* name : {"a", "b", "c"}) {
    Node node;
    node.name = name;
    node.labels = {{"disk", name == std::string("c") ? "slow" : "fast"}};
    cluster.put_node(node);
  }
  cluster.order_rows();
  const Requirement by_name{"metadata.name", "In", {"a"}}, gone{"metadata.name", "In", {"x"}};
  const Requirement by_label{"disk", "In", {"fast"}}, is_c{"metadata.name", "In", {"c"}};
  const auto column = [&](std::vector<NodeSelectorTerm> terms) {
    const auto handle = cluster.selectors().of_selector({std::move(terms)});
    const ColumnId id = cluster.find_column("node.matches:" + std::to_string(handle));
    const auto* values = cluster.column(id).values<uint8_t>();
    std::map<std::string, int> found;
    for (Row row = 0; row < 3; ++row) found[std::string(cluster.node_name(row))] = values[row];
    return found;
  };
  using Found = std::map<std::string, int>;
  EXPECT_EQ(column({{{}, {by_name}}}), (Found{{"a", 1}, {"b", 0}, {"c", 0}}));
  EXPECT_EQ(column({{{}, {gone}}}), (Found{{"a", 0}, {"b", 0}, {"c", 0}}));
  EXPECT_EQ(column({{{by_label}, {is_c}}}), (Found{{"a", 0}, {"b", 0}, {"c", 0}}));
  EXPECT_EQ(column({{{by_label}, {by_name}}, {{}, {is_c}}}), (Found{{"a", 1}, {"b", 0}, {"c", 1}}));
  EXPECT_EQ(column({{{by_label}, {}}, {{}, {is_c}}}), (Found{{"a", 1}, {"b", 1}, {"c", 1}}));
}

}  // namespace
}  // namespace berth::model
