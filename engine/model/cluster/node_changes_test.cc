// The effects of a change of the nodes: answers that are kept by block stay valid where no value
// changed.

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "engine/model/cluster/cluster.h"

namespace berth::model {
namespace {

constexpr char kZone[] = "topology.kubernetes.io/zone";

class NodeChanges : public testing::Test {
 protected:
  // Columns of every kind, more than 64 nodes in three zones that grew in turns, with a pod on each
  // second one.
  NodeChanges() {
    cluster_.set_rules(Rules(KubeVersion::k1_36));
    for (uint32_t i = 0; i < 200; ++i) cluster_.put_node(node(i));
    cluster_.order_rows();
    columns_ = {"node.name",
                "node.unschedulable",
                "node.label:disk",
                "node.label:other",
                "node.taints",
                "node.allocatable:cpu",
                "node.requested:cpu",
                "node.nonzero_requested:memory",
                "node.pods",
                "node.ports",
                "node.images",
                "node.image_sizes",
                "node.has_label:disk",
                "node.domain:disk",
                "node.zone",
                "node.annotation:note",
                "node.declared_features"};
    counted_ = cluster_.counts().query({.terms = {term()}, .key = id(kZone)});
    columns_.push_back("node.count:" + std::to_string(counted_));
    cluster_.counts().row_column(counted_);
    for (uint32_t i = 0; i < 200; i += 2) place(i, name(i));
    for (const std::string& column : columns_) cluster_.view(cluster_.find_column(column));
  }

  static std::string name(uint32_t i) { return "node-" + std::to_string(i); }
  static Node node(uint32_t i) {
    Node node;
    node.name = name(i);
    node.labels = {{"disk", "ssd"}, {kZone, std::string(1, static_cast<char>('a' + i % 3))}};
    node.annotations = {{"note", "n"}};
    node.taints = {{"k", "v", "NoSchedule"}};
    node.allocatable = {{"cpu", Quantity::from_milli(4000)}};
    node.images = {{{"a:1"}, 100}, {{"b:1"}, 7}};
    return node;
  }
  StringId id(std::string_view text) { return cluster_.strings().intern(text); }

  // The bytes of position `at` of a column.
  static std::string bytes(const berth_column& column, size_t at) {
    const size_t begin = column.starts != nullptr ? column.starts[at] : at;
    const size_t count = column.sizes != nullptr ? column.sizes[at] : 1;
    const size_t width = element_size(column.type);
    return {static_cast<const char*>(column.data) + begin * width, count * width};
  }
  // The values of columns that follow the node's object, by column id: as rows show them, and
  // gathered from values of an object.
  std::map<std::string, std::string> shown_values(Slot slot) {
    std::map<std::string, std::string> values;
    for (const std::string& column : columns_)
      if (follows_object(column))
        values[column] =
            bytes(cluster_.view(cluster_.find_column(column)), cluster_.nodes().row_of(slot));
    return values;
  }
  std::map<std::string, std::string> gathered_values(Slot slot, const NodeTable::Values& of) {
    std::map<std::string, std::string> values;
    for (const std::string& column : columns_) {
      const ColumnInfo& info = cluster_.catalog().info(cluster_.find_column(column));
      Gathered gathered;
      gathered.begin(info.type, info.list);
      const bool follows = cluster_.nodes().gather(info, slot, of, gathered);
      EXPECT_EQ(follows, follows_object(column)) << column;
      if (follows) values[column] = bytes(gathered.view(), 0);
    }
    return values;
  }
  static bool follows_object(const std::string& column) {
    return column.find("requested:") == column.npos && column != "node.pods" &&
           column != "node.ports" && !column.starts_with("node.count:");
  }

  TermId term() {
    const auto selector = cluster_.label_selectors().of(LabelSelector{{{"app", "web"}}, {}});
    return cluster_.terms().of({{id("default")}, LabelSelectors::kNothing, selector});
  }
  static Pod pod(uint32_t i) {
    Pod made;
    made.name = "pod-" + std::to_string(i);
    made.namespace_name = "default";
    made.spec.labels = {{"app", "web"}};
    Container container;
    container.requests = {{"cpu", Quantity::from_milli(100 + i)}};
    made.spec.containers = {container};
    return made;
  }
  void place(const Pod& pod, const std::string& node) {
    cluster_.place(cluster_.add_pod(pod), node);
  }
  void place(uint32_t i, const std::string& node) { place(pod(i), node); }

  // By column: how many blocks were written since `before`.
  using Generations = std::map<std::string, std::vector<uint64_t>>;
  Generations generations() {
    Generations all;
    for (const std::string& column : columns_)
      for (uint32_t block = 0; block < 4; ++block)
        all[column].push_back(cluster_.column(cluster_.find_column(column)).generation_of(block));
    return all;
  }
  std::map<std::string, int> touched(const Generations& before) {
    std::map<std::string, int> counts;
    const Generations now = generations();
    for (const auto& [column, blocks] : before)
      for (size_t block = 0; block < blocks.size(); ++block)
        if (now.at(column)[block] != blocks[block]) ++counts[column];
    return counts;
  }
  uint64_t image_generation() {
    return cluster_.column(cluster_.find_column("image.nodes")).generation();
  }

  Cluster cluster_;
  QueryId counted_ = 0;
  std::vector<std::string> columns_;
};

using Touched = std::map<std::string, int>;

TEST_F(NodeChanges, AnUpdateThatRepeatsWhatIsKnownTouchesNothing) {
  const Generations before = generations();
  const uint64_t images = image_generation(), log = cluster_.log().end();
  const Column& counts = cluster_.counts().tally(counted_).counts();
  const uint64_t tally = counts.generation();
  for (uint32_t i = 0; i < 200; ++i) EXPECT_EQ(cluster_.put_node(node(i)), 0u);
  cluster_.order_rows();
  EXPECT_EQ(touched(before), Touched{});
  EXPECT_EQ(image_generation(), images);
  EXPECT_EQ(counts.generation(), tally);
  EXPECT_EQ(cluster_.log().end(), log);
}

TEST_F(NodeChanges, AnUpdateWritesWhatDiffersAndSaysWhat) {
  auto expect = [&](const Node& changed, Changes changes, const Touched& expected) {
    const Generations before = generations();
    EXPECT_EQ(cluster_.put_node(changed), changes);
    EXPECT_EQ(touched(before), expected) << changes;
    const ChangeLog::Entry& entry = cluster_.log().at(cluster_.log().end() - 1);
    EXPECT_EQ(entry.table, Table::kNodes);
    EXPECT_EQ(entry.changes & changes, changes);
  };
  Node changed = node(100);
  changed.allocatable = {{"cpu", Quantity::from_milli(8000)}};
  expect(changed, change::kAllocatable, {{"node.allocatable:cpu", 1}});
  changed.labels.emplace_back("other", "x");
  expect(changed, change::kLabels, {{"node.label:other", 1}});
  changed.annotations = {};
  expect(changed, change::kAnnotations, {{"node.annotation:note", 1}});
  changed.declared_features = {"B", "A"};
  expect(changed, change::kDeclaredFeatures, {{"node.declared_features", 1}});
  changed.unschedulable = true;
  expect(changed, change::kUnschedulable, {{"node.unschedulable", 1}});
  changed.taints.clear();
  expect(changed, change::kTaints, {{"node.taints", 1}});
  uint64_t images = image_generation();
  changed.images[0].size_bytes = 9;
  expect(changed, change::kImages, {{"node.image_sizes", 1}});
  EXPECT_EQ(image_generation(), images);  // as many nodes have each
  changed.images.pop_back();
  expect(changed, change::kImages, {{"node.image_sizes", 1}, {"node.images", 1}});
  EXPECT_NE(image_generation(), images);
  changed.labels[0].second = "hdd";
  changed.taints = {{"other", "", "NoExecute"}};
  expect(changed, change::kLabels | change::kTaints,
         {{"node.label:disk", 1}, {"node.domain:disk", 1}, {"node.taints", 1}});
}

// All zones have an equal share of the nodes, so each new one goes behind all others.
TEST_F(NodeChanges, ANodeBehindAllOthersMovesNothing) {
  cluster_.put_node(node(200));
  cluster_.put_node(node(201));
  cluster_.order_rows();
  for (uint32_t i = 202; i < 220; ++i) {
    const Generations before = generations();
    const uint64_t log = cluster_.log().end();
    EXPECT_EQ(cluster_.put_node(node(i)), change::kAll);
    cluster_.order_rows();
    EXPECT_EQ(cluster_.node_name(i), name(i));
    for (const auto& [column, blocks] : touched(before)) EXPECT_EQ(blocks, 1) << column;
    for (uint64_t at = log; at < cluster_.log().end(); ++at)
      EXPECT_NE(cluster_.log().at(at).row, kEveryRow);
  }
}

TEST_F(NodeChanges, ARemovedNodeTouchesBlocksWhoseValuesMove) {
  const Generations before = generations();
  const uint64_t log = cluster_.log().end();
  ASSERT_TRUE(cluster_.remove_node(name(70)));
  cluster_.order_rows();
  const Touched now = touched(before);
  EXPECT_EQ(now.at("node.name"), 3);  // all but the first block
  EXPECT_EQ(now.at("node.requested:cpu"), 3);
  for (const char* same : {"node.taints", "node.allocatable:cpu", "node.label:disk",
                           "node.unschedulable", "node.images", "node.domain:disk"})
    EXPECT_FALSE(now.contains(same)) << same;
  bool renumbered = false;
  for (uint64_t at = log; at < cluster_.log().end(); ++at)
    renumbered |=
        cluster_.log().at(at).row == kEveryRow && cluster_.log().at(at).changes == change::kAll;
  EXPECT_TRUE(renumbered);
}

// However nodes are added and removed between two decisions, rows are as if all had been read at
// once.
TEST_F(NodeChanges, RowsHoldTheirNodesValues) {
  uint32_t seed = 5;
  for (uint32_t turn = 0; turn < 300; ++turn) {
    seed = seed * 1664525 + 1013904223;
    const uint32_t i = (seed >> 12) % 260;
    if (seed >> 30 == 0) {
      cluster_.remove_node(name(i));
    } else {
      Node changed = node(i);
      changed.allocatable = {{"cpu", Quantity::from_milli(1000 + i)}};
      cluster_.put_node(changed);
    }
    if (turn % 3 != 0) continue;
    cluster_.order_rows();
    const auto* names = cluster_.column(cluster_.find_column("node.name")).values<uint32_t>();
    const auto* pods = cluster_.column(cluster_.find_column("node.pods")).values<int64_t>();
    for (Row row = 0; row < cluster_.nodes().rows(); ++row) {
      const Slot slot = cluster_.nodes().slot_of(row);
      const NodeTable::Node& there = cluster_.nodes().node(slot);
      ASSERT_TRUE(there.present);
      ASSERT_EQ(cluster_.nodes().row_of(slot), row);
      ASSERT_EQ(names[row], there.name);
      ASSERT_EQ(pods[row], static_cast<int64_t>(cluster_.nodes().pods(slot).size()));
    }
    cluster_.verify_counts();
  }
}

// Counts by zone and terms by zone go by one table: a change of the nodes sorts rows once per key.
TEST_F(NodeChanges, RowsAreSortedByDomainOncePerKey) {
  TopologyKey& zones = cluster_.topology().of(id(kZone));
  std::vector<QueryId> queries;
  for (const uint32_t pods : {counted::kPlaced, counted::kPlaced | counted::kOverlaid}) {
    queries.push_back(cluster_.counts().query({.terms = {term()}, .key = id(kZone), .pods = pods}));
    cluster_.counts().row_column(queries.back());
  }
  const ClassId carried = cluster_.carried().carry({TermGroup::kPreferredAffinity, 1, false});
  PodAffinityTerm attracts;
  attracts.label_selector = LabelSelector{{{"app", "web"}}, {}};
  attracts.topology_key = kZone;
  Pod carrier;
  carrier.name = "carrier";
  carrier.namespace_name = "default";
  carrier.spec.affinity.pod_affinity = PodAffinity{{}, {{10, attracts}}};
  place(carrier, name(0));
  const MatchSetId set = cluster_.carried().match_set(carried, cluster_.record_of(pod(1)).shape);
  ASSERT_NE(set, 0u);
  cluster_.carried().row_column(set);
  auto read = [&] {
    for (QueryId query : queries) cluster_.counts().refresh(query);
    cluster_.carried().refresh(set);
  };
  read();
  cluster_.put_node(node(200));
  cluster_.order_rows();
  const uint64_t sorts = zones.sorts();
  place(999, name(200));
  carrier.name = "another";
  place(carrier, name(3));
  read();
  EXPECT_EQ(zones.sorts(), sorts + 1);
}

// The statement of a node's object before, as columns show it now.
TEST_F(NodeChanges, AnUpdateHandsOutTheValuesThatItReplaced) {
  Node changed = node(70);
  changed.labels = {{"disk", "hdd"}};
  changed.unschedulable = true;
  changed.taints.clear();
  changed.allocatable = {{"cpu", Quantity::from_milli(100)}};
  changed.annotations.clear();
  changed.images.clear();
  const Slot slot = cluster_.nodes().find(id(changed.name));
  std::map<std::string, std::string> shown = shown_values(slot);
  NodeTable::Values before;
  EXPECT_NE(cluster_.put_node(changed, &before), 0u);
  EXPECT_EQ(gathered_values(slot, before), shown);
  shown = shown_values(slot);
  EXPECT_EQ(gathered_values(slot, cluster_.nodes().node(slot)), shown);
  EXPECT_NE(gathered_values(slot, before), shown);
  NodeTable::Values untouched;
  untouched.taint_set = 77;
  EXPECT_EQ(cluster_.put_node(changed, &untouched), 0u);
  EXPECT_EQ(untouched.taint_set, 77u);
}

}  // namespace
}  // namespace berth::model
