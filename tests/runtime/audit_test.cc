// The auditor: it is silent while all is well, and names what was spoilt.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/testing.h"

namespace berth::tests {
namespace {

using runtime::AuditPace;
using testing::AllOf;
using testing::HasSubstr;

class AuditTest : public CoreTest {
 protected:
  void SetUp() override {
    start();
    cluster().put_node(node("n"));
    core->snapshot();
  }
  static model::Pod asking(const std::string& name, int64_t cpus) {
    model::Pod made = pod(name);
    made.spec.containers[0].requests = {{"cpu", model::Quantity::from_units(cpus)}};
    return made;
  }
  // A column of nodes, to be spoilt.
  model::Column& column(const std::string& id) {
    return const_cast<model::Column&>(cluster().column(cluster().find_column(id)));
  }
  queue::SchedulingQueue& pods_queue() { return core->scheduler().queue(); }
};

TEST_F(AuditTest, ACoreAtWorkHasNoFault) {
  EXPECT_EQ(core->fault(), "");
  schedule({asking("bound", 2), asking("too-big", 9)});
  arrive({asking("waiting", 1)});
  EXPECT_EQ(core->fault(), "");
  core->step();
  EXPECT_EQ(core->fault(), "");
}

TEST_F(AuditTest, APodThatTheQueueLost) {
  arrive({pod("p")});
  pods_queue().remove(find("p"));
  EXPECT_EQ(core->fault(), "pod \"default/p\" is waiting, and in the queue it is not there");
}

TEST_F(AuditTest, APodThatIsQueuedAndInFlight) {
  arrive({pod("p")});
  cluster().set_state(find("p"), model::PodState::kInFlight);
  EXPECT_EQ(core->fault(), "pod \"default/p\" is in flight, and in the queue it is active");
}

TEST_F(AuditTest, ABoundPodThatCountsNowhere) {
  schedule({pod("p")});
  cluster().unplace(find("p"));
  EXPECT_EQ(core->fault(), "pod \"default/p\" has a node by its state, and counts on none");
}

TEST_F(AuditTest, AWaitingPodThatCountsOnANode) {
  arrive({pod("p")});
  cluster().place(find("p"), "n");
  EXPECT_EQ(core->fault(), "pod \"default/p\" waits, and counts on node \"n\"");
}

TEST_F(AuditTest, APodThatNobodyBinds) {
  arrive({pod("p")});
  const auto popped = core->pop();
  ASSERT_TRUE(popped);
  cluster().place(*popped, "n");
  cluster().set_state(*popped, model::PodState::kAssumed);
  cluster().set_state(*popped, model::PodState::kBinding);
  pods_queue().refusal_over(*popped);
  EXPECT_EQ(core->fault(), "pod \"default/p\" is being bound, and no binding batch has it");
}

TEST_F(AuditTest, APodThatPermitHoldsThoughItIsBound) {
  schedule({pod("p")});
  core->scheduler().bindings().permits().hold(find("p"), *core->assembly().profiles[0],
                                              {{"First", {}}}, {});
  EXPECT_EQ(core->fault(), "pod \"default/p\" is bound, and Permit plugins hold it");
}

TEST_F(AuditTest, ASumThatIsNotThatOfThePods) {
  cluster().find_column("node.requested:cpu");
  schedule({asking("p", 2)});
  EXPECT_EQ(core->fault(), "");
  column("node.requested:cpu").put<int64_t>(0, 1500);
  EXPECT_EQ(core->fault(),
            "column node.requested:cpu holds 1500 for node \"n\"; its pods and its object come to "
            "2000");
}

TEST_F(AuditTest, AnAmountThatIsNotThatOfTheNode) {
  column("node.allocatable:cpu").put<int64_t>(0, 1);
  EXPECT_THAT(core->fault(), HasSubstr("column node.allocatable:cpu holds 1 for node \"n\""));
}

TEST_F(AuditTest, ACountThatIsNotARecount) {
  model::Pod spread = pod("p");
  spread.spec.labels = {{"app", "web"}};
  model::LabelSelector web;
  web.match_labels = {{"app", "web"}};
  spread.spec.topology_spread_constraints = {{.max_skew = 1,
                                              .topology_key = "kubernetes.io/hostname",
                                              .when_unsatisfiable = "DoNotSchedule",
                                              .label_selector = web,
                                              .min_domains = {},
                                              .node_affinity_policy = {},
                                              .node_taints_policy = {},
                                              .match_label_keys = {}}};
  model::Node labelled = node("n");
  labelled.labels = {{"kubernetes.io/hostname", "n"}};
  apply(model::modified(labelled));
  schedule({spread});
  ASSERT_GT(cluster().counts().count(), 0u);
  EXPECT_EQ(core->fault(), "");
  const model::QueryId query = cluster().counts().count();
  const model::DomainCode domain = cluster().counts().domain(query, cluster().pod(find("p")).slot);
  const_cast<model::DomainTally&>(cluster().counts().tally(query)).add(domain, 1);
  EXPECT_THAT(core->fault(), AllOf(HasSubstr("count query"), HasSubstr("node \"n\"")));
}

TEST_F(AuditTest, ANominationThatTheNodeDoesNotKnow) {
  model::Pod nominated = asking("p", 9);
  nominated.nominated_node_name = "n";
  arrive({nominated});
  EXPECT_EQ(core->fault(), "");
  const model::PodId id = find("p");
  const model::Slot slot = cluster().nodes().find(cluster().strings().find("n"));
  const_cast<model::NodeTable&>(cluster().nodes()).clear_nomination(slot, id);
  EXPECT_EQ(core->fault(), "1 pods are nominated, and nodes have 0 nominations");
}

TEST_F(AuditTest, AFaultEndsTheProgram) {
  arrive({pod("p")});
  pods_queue().remove(find("p"));
  EXPECT_DEATH(core->settle(), "berth: bug: pod \"default/p\" is waiting, and in the queue it is");
}

TEST_F(AuditTest, WithoutAuditsAFaultGoesUnnoticed) {
  audits = AuditPace::kNever;
  start();
  arrive({pod("p")});
  pods_queue().remove(find("p"));
  core->settle();
  EXPECT_NE(core->fault(), "");
}

TEST(AuditorTest, ThePaceFollowsTheCost) {
  const auto steps = [](AuditPace pace, size_t cost) {
    runtime::Auditor auditor(pace);
    uint64_t count = 1;
    while (!auditor.due() || !auditor.pays(cost)) ++count;
    uint64_t next = 1;
    while (!auditor.due() || !auditor.pays(cost)) ++next;
    EXPECT_EQ(next, count);  // the first audit is no cheaper than the others
    return count;
  };
  EXPECT_EQ(steps(AuditPace::kEveryStep, 1'000'000), 1u);
  EXPECT_EQ(steps(AuditPace::kDense, 100), 1u);
  EXPECT_GT(steps(AuditPace::kDense, 1'000'000), 100u);
  EXPECT_GT(steps(AuditPace::kSparse, 100), 1000u);
  EXPECT_GT(steps(AuditPace::kSparse, 1'000'000), 200'000u);
  runtime::Auditor never(AuditPace::kNever);
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(never.due());
}

}  // namespace
}  // namespace berth::tests
