// Disruption budgets: which pods they cover, and the lowest priority of a node's pods.

#include "engine/model/relations/disruption_budgets.h"

#include <gtest/gtest.h>

#include "engine/model/cluster/cluster.h"

namespace berth::model {
namespace {

DisruptionBudget budget(const std::string& name, std::optional<LabelSelector> selector,
                        int32_t allowed = 1, const std::string& space = "team") {
  return {name, space, std::move(selector), allowed, {}};
}

LabelSelector app(const std::string& value) { return {{{"app", value}}, {}}; }

class BudgetsTest : public ::testing::Test {
 protected:
  PodId add(const std::string& name, const StringMap& labels, const std::string& space = "team") {
    Pod pod;
    pod.name = name;
    pod.namespace_name = space;
    pod.spec.labels = labels;
    return cluster_.add_pod(pod);
  }
  std::vector<uint32_t> of(PodId pod) const {
    std::vector<uint32_t> found;
    const PodRecord& record = cluster_.pod(pod);
    cluster_.budgets().find(record, cluster_.templates().labels(record.labels), found);
    return found;
  }
  std::vector<int64_t> allowed() const {
    const Column& column = cluster_.budgets().allowed();
    return {column.values<int64_t>(), column.values<int64_t>() + column.count()};
  }

  Cluster cluster_;
};

TEST_F(BudgetsTest, CoverThePodsOfTheirNamespaceThatTheySelect) {
  cluster_.put_budget(budget("web", app("web"), 2));
  cluster_.put_budget(budget("front", LabelSelector{{{"tier", "front"}}, {}}, 0));
  cluster_.put_budget(budget("elsewhere", app("web"), 1, "other"));
  EXPECT_EQ(allowed(), (std::vector<int64_t>{2, 0, 1}));
  EXPECT_EQ(of(add("a", {{"app", "web"}})), std::vector<uint32_t>{0});
  EXPECT_EQ(of(add("b", {{"app", "web"}, {"tier", "front"}})), (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(of(add("c", {{"app", "web"}}, "other")), std::vector<uint32_t>{2});
  EXPECT_EQ(of(add("d", {{"app", "db"}})), std::vector<uint32_t>{});
}

TEST_F(BudgetsTest, WithoutASelectorOrLabelsNothingIsCovered) {
  cluster_.put_budget(budget("none", std::nullopt));
  cluster_.put_budget(budget("empty", LabelSelector{}));
  cluster_.put_budget(
      budget("invalid", LabelSelector{{}, {{.key = "app", .op = "Near", .values = {"web"}}}}));
  cluster_.put_budget(
      budget("absent", LabelSelector{{}, {{.key = "app", .op = "DoesNotExist", .values = {}}}}));
  EXPECT_EQ(of(add("a", {{"app", "web"}})), std::vector<uint32_t>{});
  EXPECT_EQ(of(add("b", {{"tier", "front"}})), std::vector<uint32_t>{3});
  EXPECT_EQ(of(add("c", {})), std::vector<uint32_t>{});
}

TEST_F(BudgetsTest, APodThatIsDisruptedAlreadyIsNotCharged) {
  DisruptionBudget web = budget("web", app("web"));
  web.disrupted_pods = {"a", "c"};
  cluster_.put_budget(web);
  EXPECT_EQ(of(add("a", {{"app", "web"}})), std::vector<uint32_t>{});
  EXPECT_EQ(of(add("b", {{"app", "web"}})), std::vector<uint32_t>{0});
}

TEST_F(BudgetsTest, AreReplacedAndRemovedByName) {
  cluster_.put_budget(budget("web", app("web"), 2));
  cluster_.put_budget(budget("db", app("db"), 3));
  const PodId web = add("a", {{"app", "web"}}), db = add("b", {{"app", "db"}});
  cluster_.put_budget(budget("web", app("db"), 5));
  EXPECT_EQ(of(web), std::vector<uint32_t>{});
  EXPECT_EQ(of(db), (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(allowed(), (std::vector<int64_t>{5, 3}));
  EXPECT_FALSE(cluster_.remove_budget("team", "gone"));
  EXPECT_FALSE(cluster_.remove_budget("gone", "web"));
  EXPECT_TRUE(cluster_.remove_budget("team", "web"));
  EXPECT_EQ(cluster_.budgets().size(), 1u);
  EXPECT_EQ(of(db), std::vector<uint32_t>{1});
  // The position is used again.
  cluster_.put_budget(budget("new", app("web"), 7, "other"));
  EXPECT_EQ(allowed(), (std::vector<int64_t>{7, 3}));
  EXPECT_EQ(of(add("c", {{"app", "web"}}, "other")), std::vector<uint32_t>{0});
}

TEST(LowestPriority, FollowsThePodsOfTheNode) {
  Cluster cluster;
  Node node;
  node.name = "n";
  cluster.put_node(node);
  cluster.order_rows();
  const ColumnId column = cluster.find_column("node.lowest_priority");
  const auto lowest = [&] { return cluster.column(column).values<int64_t>()[0]; };
  EXPECT_EQ(lowest(), kNoPriority);
  std::vector<PodId> pods;
  for (const int32_t priority : {5, -3, 9, -3}) {
    Pod pod;
    pod.name = "p" + std::to_string(pods.size());
    pod.namespace_name = "team";
    pod.spec.priority = priority;
    pods.push_back(cluster.add_pod(pod));
    cluster.place(pods.back(), "n");
  }
  EXPECT_EQ(lowest(), -3);
  cluster.unplace(pods[1]);
  EXPECT_EQ(lowest(), -3);
  cluster.unplace(pods[3]);
  EXPECT_EQ(lowest(), 5);
  cluster.unplace(pods[0]);
  EXPECT_EQ(lowest(), 9);
  cluster.unplace(pods[2]);
  EXPECT_EQ(lowest(), kNoPriority);
}

}  // namespace
}  // namespace berth::model
