// Which pods of two runs stand for each other.

#include "cli/what_if/outcome.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/what_if/outcome_rows.h"

namespace berth::cli {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using End = PodState::Kind;

constexpr char kWeb[] = "ReplicaSet default/web";

PodState pod(const std::string& name, const std::string& owner, const std::string& node,
             End kind = End::kRuns) {
  PodState state;
  state.name = name;
  state.owner = owner;
  state.node = node;
  state.kind = kind;
  if (kind == End::kPending) state.message = "no room";
  return state;
}

class ComparePods : public testing::Test {
 protected:
  // "POD FATE OTHER" of each change.
  std::vector<std::string> compare(std::vector<PodState> before, std::vector<PodState> after) {
    const PerSide<std::vector<PodState>> pods = {std::move(before), std::move(after)};
    changes_ = compare_pods(pods, {losses_, finished_, nodes_, replicas_, removed_});
    std::vector<std::string> texts;
    for (const PodChange& change : changes_)
      texts.push_back(change.pod + " " + std::string(fate_name(change.fate)) +
                      (change.other.empty() ? "" : " " + change.other));
    return texts;
  }

  std::vector<PodLoss> losses_;
  std::set<std::string> finished_;
  std::set<std::string> nodes_ = {"n1", "n2"};
  std::map<std::string, uint64_t> replicas_;
  std::set<std::string> removed_;
  std::vector<PodChange> changes_;
};

TEST_F(ComparePods, SaysNothingOfPodsThatStay) {
  EXPECT_THAT(compare({pod("a", kWeb, "n1"), pod("w", "", "", End::kPending)},
                      {pod("a", kWeb, "n1"), pod("w", "", "", End::kPending)}),
              IsEmpty());
}

TEST_F(ComparePods, CountsPodsThatAreToGoAsAskedFor) {
  removed_ = {"bare", "owned"};
  EXPECT_THAT(
      compare({pod("bare", "", "n1"), pod("other", "", "n1"), pod("owned", kWeb, "n1")}, {}),
      ElementsAre("bare scaled_down", "other gone", "owned gone"));
}

TEST_F(ComparePods, PairsPodsOfOneController) {
  losses_ = {{.name = "a",
              .owner = kWeb,
              .node = "n1",
              .reason = "R",
              .because = "drain",
              .at = seconds(3)}};
  EXPECT_THAT(compare({pod("a", kWeb, "n1"), pod("b", kWeb, "n1"), pod("x", "other", "n1")},
                      {pod("c", kWeb, "n2"), pod("b", kWeb, "n1"), pod("x", "other", "n1")}),
              ElementsAre("a moved c"));
  EXPECT_EQ(changes_[0].from_node, "n1");
  EXPECT_EQ(changes_[0].to_node, "n2");
  EXPECT_EQ(changes_[0].reason, "R");
  EXPECT_EQ(changes_[0].at, seconds(3));
}

TEST_F(ComparePods, TellsPodsOfOneNameThatCameBack) {
  EXPECT_THAT(compare({pod("db-0", "StatefulSet default/db", "n1")},
                      {pod("db-0", "StatefulSet default/db", "n2")}),
              ElementsAre("db-0 moved"));
  losses_ = {{.name = "db-0", .owner = "", .node = "n1", .reason = "R", .because = ""}};
  EXPECT_THAT(compare({pod("db-0", "StatefulSet default/db", "n1")},
                      {pod("db-0", "StatefulSet default/db", "n1")}),
              ElementsAre("db-0 moved"));
}

TEST_F(ComparePods, CountsThoseThatAreWorseOff) {
  EXPECT_THAT(compare({pod("a", kWeb, "n1"), pod("b", kWeb, "n1"), pod("bare", "", "n1")},
                      {pod("c", kWeb, "", End::kPending)}),
              ElementsAre("a pending c", "b gone", "bare gone"));
  EXPECT_EQ(changes_[0].message, "no room");
  EXPECT_TRUE(is_worse(changes_[0].fate) && is_worse(changes_[2].fate));
}

TEST_F(ComparePods, APodThatLeavesDoesNotRun) {
  EXPECT_THAT(compare({pod("a", "", "n1")}, {pod("a", "", "n1", End::kLeaves)}),
              ElementsAre("a gone"));
}

TEST_F(ComparePods, APodThatWaitedBeforeStandsForNone) {
  EXPECT_THAT(compare({pod("a", kWeb, "n1"), pod("w", kWeb, "", End::kPending)},
                      {pod("w", kWeb, "", End::kPending)}),
              ElementsAre("a gone"));
  EXPECT_THAT(compare({pod("w", kWeb, "", End::kPending)}, {pod("w", kWeb, "n1")}),
              ElementsAre("w started"));
}

TEST_F(ComparePods, ScalingAsksForFewerOrMore) {
  replicas_[kWeb] = 1;
  EXPECT_THAT(compare({pod("a", kWeb, "n1"), pod("b", kWeb, "n1"), pod("c", kWeb, "n1")},
                      {pod("c", kWeb, "n1")}),
              ElementsAre("a scaled_down", "b scaled_down"));
  EXPECT_THAT(compare({pod("a", kWeb, "n1"), pod("b", kWeb, "n1")}, {}),
              ElementsAre("a scaled_down", "b gone"));
  replicas_[kWeb] = 3;
  EXPECT_THAT(compare({pod("a", kWeb, "n1")}, {pod("a", kWeb, "n1"), pod("b", kWeb, "n2"),
                                               pod("c", kWeb, "", End::kPending)}),
              ElementsAre("b started", "c waits"));
}

TEST_F(ComparePods, NothingHasToRunForDaemonsOfGoneNodesAndFinishedPods) {
  finished_ = {"job"};
  EXPECT_THAT(compare({pod("d1", "DaemonSet default/d", "gone"),
                       pod("d2", "DaemonSet default/d", "n1"), pod("job", "", "n1")},
                      {}),
              ElementsAre("d1 node_gone", "d2 gone", "job finished"));
}

TEST(PendingByReason, CountsReasons) {
  EXPECT_THAT(pending_by_reason({pod("a", "", "", End::kPending), pod("b", "", "", End::kPending),
                                 pod("c", "", "n1")}),
              ElementsAre(Pair("no room", 2u)));
}

// With fewer nodes the numbers of an event differ, and its reasons do not.
TEST(WhatIfRows, ReasonsDoNotDependOnNumbers) {
  WhatIf answer;
  answer.pods[0] = {pod("a", "", "", End::kPending)};
  answer.pods[0][0].message = "0/5 nodes are available: 5 no disk.";
  answer.pods[1] = answer.pods[0];
  answer.pods[1][0].message = "0/4 nodes are available: 4 no disk.";
  const std::vector<SideRow> rows = reason_rows(answer);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].label, "no disk");
  EXPECT_FALSE(rows[0].differs());
}

TEST(WhatIfPage, EscapesNames) {
  WhatIf answer;
  PodChange change;
  change.pod = "<script>";
  change.fate = Fate::kGone;
  answer.changes.push_back(change);
  const std::string page = to_page(answer);
  EXPECT_EQ(page.find("<script>"), std::string::npos);
  EXPECT_NE(page.find("&lt;script&gt;"), std::string::npos);
}

}  // namespace
}  // namespace berth::cli
