#include "engine/model/columns/catalog.h"

#include <gtest/gtest.h>

#include <string_view>
#include <utility>

#include "berth/abi/column.h"

namespace berth::model {
namespace {

class Catalogue : public testing::Test {
 protected:
  Strings strings_;
  Catalog catalog_{strings_};
};

TEST_F(Catalogue, KnowsPlainColumns) {
  ColumnId pods = catalog_.find("node.pods");
  ASSERT_NE(pods, 0u);
  EXPECT_EQ(catalog_.find("node.pods"), pods);
  const ColumnInfo& info = catalog_.info(pods);
  EXPECT_EQ(info.id, "node.pods");
  EXPECT_EQ(info.attribute, Attribute::kNodePods);
  EXPECT_EQ(info.table, Table::kNodes);
  EXPECT_EQ(info.type, uint32_t{BERTH_I64});
  EXPECT_FALSE(info.list);
  EXPECT_EQ(info.changes, change::kPods);
  EXPECT_TRUE(catalog_.info(catalog_.find("node.ports")).list);
}

TEST_F(Catalogue, AFamilysMemberComesIntoBeingWhenAskedFor) {
  ColumnId size = catalog_.size();
  ColumnId gpu = catalog_.find("node.allocatable:example.com/gpu");
  EXPECT_EQ(gpu, size);
  EXPECT_EQ(strings_.text(catalog_.info(gpu).key), "example.com/gpu");
  // A label key may contain a colon.
  ColumnId odd = catalog_.find("node.label:a:b");
  EXPECT_EQ(strings_.text(catalog_.info(odd).key), "a:b");
  EXPECT_EQ(catalog_.find("node.allocatable:example.com/gpu"), gpu);
}

TEST_F(Catalogue, RequestedColumnsFollowTheirResource) {
  auto changes = [&](const char* id) { return catalog_.info(catalog_.find(id)).changes; };
  EXPECT_EQ(changes("node.requested:cpu"), change::kRequestedCpu);
  EXPECT_EQ(changes("node.requested:memory"), change::kRequestedMemory);
  EXPECT_EQ(changes("node.requested:ephemeral-storage"), change::kRequestedEphemeral);
  EXPECT_EQ(changes("node.requested:example.com/gpu"), change::kRequestedScalar);
  EXPECT_EQ(changes("node.nonzero_requested:cpu"), change::kNonzero);
}

TEST_F(Catalogue, RefusesWhatIsNone) {
  for (const char* id : {"",
                         "node",
                         "node.",
                         "node.nothing",
                         "node.label",
                         "node.label:",
                         "node.label:*",
                         "node.pods:x",
                         "node.pods:",
                         "nodes.pods",
                         ":",
                         "node.nonzero_requested:example.com/gpu",
                         "node.nonzero_requested:",
                         "node.matches:",
                         "node.matches:0",
                         "node.matches:-1",
                         "node.matches:x",
                         "node.matches:1x",
                         "node.matches:99999999999",
                         " node.pods"})
    EXPECT_EQ(catalog_.find(id), 0u) << id;
  EXPECT_NE(catalog_.find("node.matches:1"), 0u);
}

TEST_F(Catalogue, TellsWhatPodsOfOneTemplateCanDifferIn) {
  auto of_instance = [&](const char* id) { return catalog_.info(catalog_.find(id)).of_instance(); };
  auto of_shape = [&](const char* id) { return catalog_.info(catalog_.find(id)).of_shape(); };
  for (const char* id : {"pod.handle", "pod.name", "pod.uid", "pod.created_at", "pod.queued_at"})
    EXPECT_TRUE(of_instance(id) && !of_shape(id)) << id;
  for (const char* id : {"pod.namespace", "pod.label:app", "pod.controller_uid", "pod.spread_self",
                         "pod.pod_affinity_terms", "pod.carried:1", "pod.siblings"})
    EXPECT_TRUE(of_shape(id) && !of_instance(id)) << id;
  for (const char* id :
       {"pod.priority", "pod.node_name", "pod.ports", "pod.requests", "node.name", "node.row"})
    EXPECT_FALSE(of_instance(id) || of_shape(id)) << id;
}

TEST(Declarations, CoverWhatTheyName) {
  EXPECT_TRUE(is_family("node.label:*"));
  EXPECT_TRUE(is_family("pod.label:*"));
  for (const char* id : {"node.label:a", "node.pods:*", "node.pods", "*", ":*", "node.labels:*",
                         "pod.annotation:*", "cluster.epoch:*"})
    EXPECT_FALSE(is_family(id)) << id;
  EXPECT_TRUE(covers("node.pods", "node.pods"));
  EXPECT_TRUE(covers("node.label:*", "node.label:a"));
  EXPECT_TRUE(covers("node.label:a", "node.label:a"));
  EXPECT_FALSE(covers("node.label:*", "node.label:"));
  EXPECT_FALSE(covers("node.label:a", "node.label:ab"));
  EXPECT_FALSE(covers("node.label:*", "pod.label:a"));
  EXPECT_FALSE(covers("node.requested:*", "node.nonzero_requested:cpu"));
}

// A person reads them in the description of a plugin.
TEST(KnownColumns, HaveATableAndATypeWithNames) {
  for (const KnownColumn& column : known_columns()) {
    EXPECT_NE(table_name(column.table), "") << column.name;
    EXPECT_NE(element_name(column.type), "") << column.name;
  }
  const auto names = [](const char* id) {
    const KnownColumn& column = *find_known_column(id);
    return std::pair(table_name(column.table), element_name(column.type));
  };
  using Names = std::pair<std::string_view, std::string_view>;
  EXPECT_EQ(names("node.name"), Names("nodes", "u32"));
  EXPECT_EQ(names("node.ports"), Names("nodes", "u64"));
  EXPECT_EQ(names("node.unschedulable"), Names("nodes", "u8"));
  EXPECT_EQ(names("taint_set.keys"), Names("taint sets", "u32"));
  EXPECT_EQ(names("image.nodes"), Names("images", "i64"));
  EXPECT_EQ(names("cluster.nodes"), Names("cluster", "i64"));
  EXPECT_EQ(names("cluster.epoch:load"), Names("cluster", "i64"));
  EXPECT_EQ(names("count:1"), Names("counts", "i64"));
  EXPECT_EQ(names("event.matches:1"), Names("events", "u8"));
  EXPECT_EQ(names("event.anti_affinity_matches"), Names("events", "u8"));
  EXPECT_EQ(names("budget.allowed"), Names("budgets", "i64"));
  EXPECT_EQ(names("pod.priority"), Names("pods", "i64"));
}

}  // namespace
}  // namespace berth::model
