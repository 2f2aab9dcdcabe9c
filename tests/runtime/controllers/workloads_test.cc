// Controllers of workloads that a run plays, with the core.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "tests/runtime/controllers/workloads.h"

namespace berth::tests {
namespace {

using namespace std::chrono_literals;
using model::WorkloadKind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST_F(WorkloadsTest, APodThatTerminatesIsReplacedAtOnce) {
  begin(workload(WorkloadKind::kReplicaSet, "web", 2));
  pass(10s);
  terminate(first_[0]);
  EXPECT_THAT(created(),
              ElementsAre(ingest::suffixed_name(workload(WorkloadKind::kReplicaSet, "web", 2), 2)));
  EXPECT_THAT(pods(), SizeIs(3));
  pass(30s);
  EXPECT_THAT(pods(), SizeIs(2));
  EXPECT_THAT(created(), IsEmpty());
}

TEST_F(WorkloadsTest, APodThatIsGoneIsReplaced) {
  begin(workload(WorkloadKind::kReplicationController, "web", 2));
  remove(first_[1]);
  EXPECT_THAT(created(), SizeIs(1));
  finish(first_[0], {.succeeded = false});
  EXPECT_THAT(created(), SizeIs(1));
}

TEST_F(WorkloadsTest, PodsOfOthersAreNotReplaced) {
  begin(workload(WorkloadKind::kReplicaSet, "web", 1));
  schedule({pod("plain")});
  remove("plain");
  EXPECT_THAT(pods(), SizeIs(1));
}

TEST_F(WorkloadsTest, WhatTheInputLacksStaysSo) {
  model::Workload of = workload(WorkloadKind::kReplicaSet, "web", 2);
  begin(of);
  of.name = "other";
  of.controller.name = "other";
  of.replicas = 5;
  apply(model::added(object(of)));
  const std::string name = ingest::suffixed_name(of, 0);
  schedule({ingest::replica_pod(of, name)});
  created();
  remove(name);
  EXPECT_THAT(created(), SizeIs(1));
}

TEST_F(WorkloadsTest, PodsThatCameBeforeTheirWorkloadCount) {
  model::Workload of = workload(WorkloadKind::kReplicaSet, "web", 2);
  of.has_pods = true;
  const std::string a = ingest::suffixed_name(of, 0), b = ingest::suffixed_name(of, 1);
  schedule({ingest::replica_pod(of, a), ingest::replica_pod(of, b)});
  apply(model::added(object(of)));
  created();
  terminate(a);
  EXPECT_THAT(created(), SizeIs(1));
}

TEST_F(WorkloadsTest, ItsObjectSaysHowManyPodsItHas) {
  model::Workload of = workload(WorkloadKind::kDeployment, "web", 2);
  begin(of);
  of.replicas = 4;
  change(of);
  EXPECT_THAT(created(), SizeIs(2));
  of.replicas = 1;
  pass(1000s);
  change(of);
  EXPECT_THAT(created(), IsEmpty());
  pass(30s);
  EXPECT_THAT(pods(), SizeIs(1));
}

TEST_F(WorkloadsTest, PodsThatWaitGoFirst) {
  model::Workload of = workload(WorkloadKind::kReplicaSet, "web", 2);
  begin(of);
  auto large = std::make_shared<model::Pod>(*of.pod);
  large->spec.containers[0].requests = {{"cpu", model::Quantity::from_units(100)}};
  of.pod = large;
  of.revision = "other";
  of.replicas = 3;
  change(of);
  const std::string late = created().at(0);
  of.replicas = 2;
  change(of);
  EXPECT_FALSE(find(late)) << "nothing of it runs, so it takes no time";
  EXPECT_THAT(pods(), ElementsAre(std::min(first_[0], first_[1]), std::max(first_[0], first_[1])));
}

TEST_F(WorkloadsTest, PodsGoWithTheirWorkload) {
  const model::Workload of = workload(WorkloadKind::kReplicaSet, "web", 2);
  begin(of);
  apply(model::deleted(model::ControllerObject{"ReplicaSet", "web", "default", {}, nullptr}));
  pass(0s);
  EXPECT_THAT(pods(), SizeIs(2));
  EXPECT_EQ(pods()[0], std::min(first_[0], first_[1]) + " ends");
  pass(30s);
  EXPECT_THAT(pods(), IsEmpty());
  EXPECT_THAT(created(), IsEmpty());
}

TEST_F(WorkloadsTest, AWorkloadThatComesAgainHasNewPods) {
  model::Workload of = workload(WorkloadKind::kStatefulSet, "db", 2);
  of.parallel = true;
  begin(of);
  apply(model::deleted(model::ControllerObject{"StatefulSet", "db", "default", {}, nullptr}));
  settle();
  of.has_pods = of.creates = true;
  apply(model::added(object(of)));
  settle();
  EXPECT_THAT(pods(), ElementsAre("db-0 ends", "db-1 ends"));
  pass(30s);
  EXPECT_THAT(created(), ElementsAre("db-0", "db-1"));

  model::Workload daemons = workload(WorkloadKind::kDaemonSet, "agent", 0);
  daemons.creates = true;
  apply(model::added(object(daemons)));
  settle();
  EXPECT_THAT(created(), SizeIs(2)) << "one for each node";
}

TEST_F(WorkloadsTest, ThePodsOfAFailedNodeRunElsewhere) {
  model::Workload of = workload(WorkloadKind::kDeployment, "web", 2);
  auto like = std::make_shared<model::Pod>(*of.pod);
  for (const char* key : {"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"})
    like->spec.tolerations.push_back(
        {.key = key, .op = "Exists", .value = {}, .effect = "NoExecute", .seconds = 300});
  like->spec.containers[0].requests = {{"cpu", model::Quantity::from_units(5)}};
  of.pod = like;
  begin(of);
  pass(33s);
  model::Node silent = node("n");
  silent.annotations = {{"berth/kubelet", "stopped"}};
  apply(model::modified(silent));
  // Silent for more than 50 s at 90 s; the taint that evicts comes with the pass after it.
  core->advance_to(390s + 50ms - 1ns);
  EXPECT_THAT(created(), IsEmpty());
  core->advance_to(390s + 50ms);
  EXPECT_THAT(created(), SizeIs(1));
  EXPECT_THAT(pods(), SizeIs(3));
  core->advance_to(1h);
  EXPECT_THAT(pods(), SizeIs(3)) << "nobody hears that the pod has ended";
  apply(model::modified(node("n")));
  pass(0s);
  EXPECT_THAT(pods(), SizeIs(2));
}

TEST_F(WorkloadsTest, AStatefulSetWaitsUntilThePodIsGone) {
  begin(workload(WorkloadKind::kStatefulSet, "db", 3));
  const model::PodId former = find("db-1");
  terminate("db-1");
  EXPECT_THAT(created(), IsEmpty());
  pass(30s);
  EXPECT_THAT(created(), ElementsAre("db-1"));
  EXPECT_NE(find("db-1"), former);
}

TEST_F(WorkloadsTest, PodsOfASilentNodeComeBackWhenTheyAreGone) {
  begin(workload(WorkloadKind::kStatefulSet, "db", 1));
  model::Workload job = workload(WorkloadKind::kJob, "sums", 1);
  job.job.completions = 1;
  job.job.replaces_failed_alone = true;
  begin(job);
  for (const char* name : {"n", "m"}) {
    model::Node silent = node(name);
    silent.annotations = {{"berth/kubelet", "stopped"}};
    apply(model::modified(silent));
  }
  terminate("db-0");
  terminate(first_[1]);
  pass(1h);
  EXPECT_THAT(created(), IsEmpty());
  for (const char* name : {"n", "m"}) apply(model::modified(node(name)));
  pass(10s);
  EXPECT_THAT(created(), testing::Contains("db-0"));
  EXPECT_THAT(pods(), SizeIs(2)) << "the Job has another pod, too";
}

TEST_F(WorkloadsTest, AKubeletLooksAtPodsThatComeWithTheirNode) {
  model::Workload of = workload(WorkloadKind::kReplicaSet, "web", 2);
  auto like = std::make_shared<model::Pod>(*of.pod);
  like->spec.node_name = "n";
  like->spec.containers[0].requests = {{"cpu", model::Quantity::from_units(3)}};
  of.pod = like;
  begin(of);
  model::Node small = node("n");
  small.allocatable[0] = {"cpu", model::Quantity::from_units(4)};
  ASSERT_EQ(small.allocatable[0].first, "cpu");
  apply(model::modified(small));
  take();
  of.replicas = 3;
  change(of);
  EXPECT_THAT(take(), testing::Contains(testing::EndsWith("disrupted: OutOfcpu")));
  EXPECT_THAT(pods(), SizeIs(2)) << "no other one runs there";
}

TEST_F(WorkloadsTest, AStatefulSetCreatesOnePodAfterTheOther) {
  model::Workload of = workload(WorkloadKind::kStatefulSet, "db", 3);
  begin(of);
  for (const char* name : {"db-0", "db-2"}) apply(model::deleted_pod("default", name));
  pass(0s);
  EXPECT_THAT(created(), ElementsAre("db-0"));
  settle();
  EXPECT_THAT(created(), ElementsAre("db-2"));
  of.parallel = true;
  change(of);
  for (const char* name : {"db-0", "db-2"}) apply(model::deleted_pod("default", name));
  pass(0s);
  EXPECT_THAT(created(), ElementsAre("db-0", "db-2"));
}

TEST_F(WorkloadsTest, AStatefulSetWaitsUntilAPodWasReadyForLongEnough) {
  model::Workload of = workload(WorkloadKind::kStatefulSet, "db", 3);
  of.min_ready_seconds = 20;
  begin(of);
  pass(20s);
  for (const char* name : {"db-0", "db-2"}) apply(model::deleted_pod("default", name));
  settle();
  EXPECT_THAT(created(), ElementsAre("db-0"));
  pass(19s);
  EXPECT_THAT(created(), IsEmpty());
  pass(1s);
  EXPECT_THAT(created(), ElementsAre("db-2"));
}

TEST_F(WorkloadsTest, AReplicaSetGivesUpThePodsThatCostTheLeast) {
  model::Workload of = workload(WorkloadKind::kReplicaSet, "web", 3);
  begin(of);
  model::Pod cheap = ingest::replica_pod(of, first_[1]);
  cheap.uid = cluster().text(cluster().pod(find(first_[1])).uid);
  cheap.spec.node_name = cluster().nodes().name(cluster().pod(find(first_[1])).slot);
  cheap.spec.deletion_cost = -1;
  apply(model::modified(of_template(cheap)));
  of.replicas = 2;
  change(of);
  EXPECT_THAT(pods(), testing::Contains(first_[1] + " ends"));
}

TEST_F(WorkloadsTest, AStatefulSetShrinksFromTheHighestOrdinal) {
  model::Workload of = workload(WorkloadKind::kStatefulSet, "db", 3);
  begin(of);
  of.replicas = 1;
  change(of);
  EXPECT_THAT(pods(), ElementsAre("db-0", "db-1", "db-2 ends"));
  pass(30s);
  EXPECT_THAT(pods(), ElementsAre("db-0", "db-1 ends"));
  pass(30s);
  EXPECT_THAT(pods(), ElementsAre("db-0"));
}

TEST_F(WorkloadsTest, AStatefulSetMakesItsClaims) {
  model::Workload of = workload(WorkloadKind::kStatefulSet, "db", 1);
  of.parallel = true;
  model::PersistentVolumeClaim claim;
  claim.name = "data";
  of.claims = {claim};
  begin(of);
  of.replicas = 2;
  change(of);
  EXPECT_THAT(created(), ElementsAre("db-1"));
  const auto id = [&](const char* text) { return cluster().strings().find(text); };
  EXPECT_TRUE(cluster().volumes().claim_object(id("default"), id("data-db-1")));
}

TEST_F(WorkloadsTest, ADaemonSetFollowsTheNodes) {
  const model::Workload of = workload(WorkloadKind::kDaemonSet, "agent", 0);
  begin(of);
  EXPECT_THAT(pods(), IsEmpty()) << "what the input lacks stays so";
  apply(model::added(node("late")));
  settle();
  const std::vector<std::string> late = created();
  ASSERT_THAT(late, SizeIs(1));
  EXPECT_EQ(cluster().nodes().name(cluster().pod(find(late[0])).slot), "late");
  terminate(late[0]);
  EXPECT_THAT(created(), IsEmpty());
  pass(30s);
  EXPECT_THAT(created(), SizeIs(1));
}

TEST_F(WorkloadsTest, ADaemonThatFailsComesBackLaterEachTime) {
  begin(workload(WorkloadKind::kDaemonSet, "agent", 0));
  apply(model::added(node("late")));
  settle();
  const std::string first = created().at(0);
  finish(first, {.succeeded = false});
  const std::string second = created().at(0);
  finish(second, {.succeeded = false});
  EXPECT_THAT(created(), IsEmpty());
  pass(1s);
  EXPECT_THAT(created(), SizeIs(1));
}

TEST_F(WorkloadsTest, DaemonsLeaveANodeThatTheyDoNotTolerate) {
  begin(workload(WorkloadKind::kDaemonSet, "agent", 0));
  apply(model::added(node("late")));
  settle();
  model::Node tainted = node("late");
  tainted.taints = {{"k", "v", "NoSchedule"}};
  apply(model::modified(tainted));
  settle();
  EXPECT_THAT(pods(), ElementsAre(created().at(0)));
  tainted.taints = {{"k", "v", "NoExecute"}};
  apply(model::modified(tainted));
  settle();
  pass(1h);
  EXPECT_THAT(pods(), IsEmpty());
}

TEST_F(WorkloadsTest, AJobGoesOnUntilItIsComplete) {
  model::Workload of = workload(WorkloadKind::kJob, "sums", 2);
  of.job.completions = 3;
  begin(of);
  finish(first_[0], {});
  const std::vector<std::string> third = created();
  EXPECT_THAT(third, SizeIs(1));
  finish(first_[1], {});
  finish(third[0], {});
  EXPECT_THAT(created(), IsEmpty());
  EXPECT_FALSE(core->unfinished());
}

TEST_F(WorkloadsTest, AJobPausesAfterAFailure) {
  model::Workload of = workload(WorkloadKind::kJob, "sums", 1);
  of.job.completions = 1;
  of.job.backoff_limit = 1;
  begin(of);
  pass(5s);
  const Time failed_at = core->now();
  finish(first_[0], {.succeeded = false, .exit_code = 1});
  EXPECT_THAT(created(), IsEmpty());
  core->advance_to(failed_at + 10s - 1ns);
  EXPECT_THAT(created(), IsEmpty());
  core->advance_to(failed_at + 10s);
  const std::vector<std::string> second = created();
  ASSERT_THAT(second, SizeIs(1));
  settle();
  finish(second[0], {.succeeded = false, .exit_code = 1});
  pass(1h);
  EXPECT_THAT(created(), IsEmpty()) << "the limit is passed";
}

TEST_F(WorkloadsTest, AnEvictionOfAJobIsAFailureUnlessItsPolicySaysOtherwise) {
  model::Workload of = workload(WorkloadKind::kJob, "sums", 1);
  of.job.completions = 1;
  of.job.backoff_limit = 0;
  begin(of);
  terminate(first_[0]);
  pass(1h);
  EXPECT_THAT(created(), IsEmpty());

  of.name = of.controller.name = "kind";
  of.job.has_failure_policy = of.job.replaces_failed_alone = true;
  of.job.failure_rules = {{.action = model::FailureRule::Action::kIgnore,
                           .operation = {},
                           .exit_codes = {},
                           .container = {},
                           .conditions = {{"DisruptionTarget", "True"}}}};
  begin(of);
  core->door().tell_evicted({find(first_[1]), "DeletionByTaintManager", ""});
  terminate(first_[1]);
  pass(30s);
  EXPECT_THAT(created(), IsEmpty()) << "it is failed now, and pauses";
  pass(10s);
  EXPECT_THAT(created(), SizeIs(1));
}

TEST_F(WorkloadsTest, APodThatItsKubeletRefusesIsNoDisruptionForAJob) {
  model::Workload of = workload(WorkloadKind::kJob, "sums", 1);
  of.job.completions = 1;
  of.job.backoff_limit = 0;
  of.job.has_failure_policy = true;
  of.job.failure_rules = {{.action = model::FailureRule::Action::kIgnore,
                           .operation = {},
                           .exit_codes = {},
                           .container = {},
                           .conditions = {{"DisruptionTarget", "True"}}}};
  begin(of);
  core->door().tell_evicted(
      {.pod = find(first_[0]), .reason = "OutOfcpu", .message = "", .has_condition = false});
  finish(first_[0], {.succeeded = false});
  pass(1h);
  EXPECT_THAT(created(), IsEmpty()) << "the rule does not match, and no failure is allowed";
}

TEST_F(WorkloadsTest, AnIndexIsTriedAgain) {
  model::Workload of = workload(WorkloadKind::kJob, "sums", 2);
  of.job.completions = 2;
  of.job.indexed = true;
  begin(of);
  finish(first_[0], {});
  finish(first_[1], {.succeeded = false});
  pass(10s);
  const std::vector<std::string> again = created();
  ASSERT_THAT(again, SizeIs(1));
  EXPECT_TRUE(again[0].starts_with("sums-1-")) << again[0];
}

TEST_F(WorkloadsTest, PodsThatAreLostForEverEndInTime) {
  begin(workload(WorkloadKind::kReplicaSet, "web", 1));
  std::string name = first_[0];
  size_t made = 0;
  for (; !name.empty(); ++made) {
    remove(name);
    const std::vector<std::string> next = created();
    name = next.empty() ? "" : next[0];
  }
  EXPECT_EQ(made, 201u);
  EXPECT_EQ(core->diagnostics().count(), 1u);
}

TEST_F(WorkloadsTest, TheyCanBeTurnedOff) {
  controllers = played::ControllerList::parse("*,-replicaset-controller,-deployment-controller");
  SetUp();
  begin(workload(WorkloadKind::kReplicaSet, "web", 1));
  remove(first_[0]);
  EXPECT_THAT(created(), IsEmpty());
}

// A node of a hundred pods fails among fifty nodes. Every pod is evicted at its second, and runs
// elsewhere a decision later than the one before it.
TEST_F(WorkloadsTest, AHundredPodsOfAFailedNodeRunElsewhere) {
  for (const char* name : {"n", "m"}) apply(model::deleted(node(name)));
  for (int i = 0; i < 50; ++i) apply(model::added(node("node-" + std::to_string(i), 110)));
  constexpr int kWorkloads = 10, kEach = 10;
  std::vector<model::Pod> pods;
  for (int w = 0; w < kWorkloads; ++w) {
    model::Workload of = workload(WorkloadKind::kDeployment, "w-" + std::to_string(w), kEach);
    auto like = std::make_shared<model::Pod>(*of.pod);
    like->spec.tolerations = {{.key = "node.kubernetes.io/unreachable",
                               .op = "Exists",
                               .value = {},
                               .effect = "NoExecute",
                               .seconds = 100 + 10 * w}};
    of.pod = like;
    of.has_pods = true;
    for (int i = 0; i < kEach; ++i) {
      model::Pod pod = ingest::replica_pod(of, ingest::suffixed_name(of, static_cast<uint64_t>(i)));
      pod.spec.node_name = "node-7";
      model::TemplatePod made = of_template(pod);
      made.controller = of.controller;
      apply(model::added(made));
    }
    apply(model::added(object(of)));
  }
  pass(0s);
  model::Node silent = node("node-7");
  silent.annotations = {{"berth/kubelet", "stopped"}};
  pass(33s);
  apply(model::modified(silent));
  std::map<Time, int> disrupted, placed;
  core->report_to([&](const runtime::Report& report) {
    if (std::holds_alternative<runtime::Disrupted>(report)) ++disrupted[core->now()];
    if (const auto* one = std::get_if<runtime::Scheduled>(&report)) {
      EXPECT_NE(one->node, "node-7");
      ++placed[core->now()];
    }
  });
  while (const std::optional<Time> due = core->next_due()) {
    if (*due > 500s) break;
    core->advance_to(*due);
    while (core->has_active()) core->step(core->now() + 1ms);
    core->settle();
  }
  std::map<Time, int> at, decided;
  for (int w = 0; w < kWorkloads; ++w) {
    const Time evicted = 90s + 50ms + (100s + 10s * w);
    at[evicted] = kEach;
    for (int i = 1; i <= kEach; ++i) decided[evicted + 1ms * i] = 1;
  }
  EXPECT_EQ(disrupted, at);
  EXPECT_EQ(placed, decided);
  EXPECT_EQ(cluster().pods().size(), size_t{2 * kWorkloads * kEach}) << "they terminate for ever";
  apply(model::modified(node("node-7", 110)));
  pass(0s);
  EXPECT_EQ(cluster().pods().size(), size_t{kWorkloads * kEach});
}

}  // namespace
}  // namespace berth::tests
