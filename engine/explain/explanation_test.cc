#include "engine/explain/testing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace berth::explain {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kRackConfig[] = R"(
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- schedulerName: default-scheduler
  plugins:
    multiPoint:
      enabled:
      - name: Rack
)";

// Reserve and Permit may refuse or hold a pod that has its node; the explanation says that it did
// not ask them.
TEST_F(ExplanationTest, NamesWhoIsNotAsked) {
  add(node("a"));
  EXPECT_THAT(explain(pod("p")).not_asked, IsEmpty());
  const std::string path = testing::TempDir() + "/explain_coscheduling.yaml";
  std::string config = kRackConfig;
  config.replace(config.find("Rack"), 4, "Coscheduling");
  config += "    queueSort: {disabled: [{name: '*'}], enabled: [{name: Coscheduling}]}\n";
  std::ofstream(path) << config;
  start(config::load(path));
  add(node("a"));
  const Explanation explanation = explain(pod("p"));
  ASSERT_EQ(explanation.not_asked.size(), 1u);
  EXPECT_EQ(explanation.not_asked[0].plugin, "Coscheduling");
  EXPECT_THAT(explanation.not_asked[0].points, ElementsAre("Reserve", "Permit"));
  EXPECT_THAT(to_text(explanation),
              HasSubstr("\nNot asked, and may still refuse or hold the pod: Coscheduling (Reserve, "
                        "Permit)\n"));
  EXPECT_THAT(to_json(explanation), HasSubstr("\"notAsked\""));
}

TEST_F(ExplanationTest, MoreOfAResourceThatTheNodeDoesNotHave) {
  add(node("a", "1"));
  EXPECT_THAT(change(pod("p", "1500m")), ElementsAre("500m more allocatable cpu"));
}

TEST_F(ExplanationTest, MoreOfAResourceOrAsMuchFreed) {
  add(node("a", "2"));
  add(on_node(pod("old", "1500m"), "a"));
  EXPECT_THAT(change(pod("p", "1501m")),
              ElementsAre("1001m more allocatable cpu, or as much freed"));
}

TEST_F(ExplanationTest, EachResourceAsLittleAsItNeeds) {
  add(node("a", "1", "1Gi"));
  EXPECT_THAT(change(pod("p", "3", "1537Mi")),
              ElementsAre("2 more allocatable cpu", "513Mi more allocatable memory"));
}

TEST_F(ExplanationTest, AResourceThatTheNodeLacksAltogether) {
  add(node("a"));
  model::Pod gpu = pod("p");
  gpu.spec.containers[0].requests.push_back({"example.com/gpu", amount("3")});
  EXPECT_THAT(change(gpu), ElementsAre("3 more allocatable example.com/gpu"));
}

TEST_F(ExplanationTest, PodSlots) {
  add(node("a", "4", "8Gi", "1"));
  add(on_node(pod("old"), "a"));
  EXPECT_THAT(change(pod("p")), ElementsAre("1 more pod slot, or as many pods fewer"));
}

TEST_F(ExplanationTest, Uncordon) {
  model::Node cordoned = node("a");
  cordoned.unschedulable = true;
  add(cordoned);
  EXPECT_THAT(change(pod("p")), ElementsAre("uncordon the node"));
}

TEST_F(ExplanationTest, OnlyTaintsThatRefuseAreRemoved) {
  model::Node tainted = node("a");
  tainted.taints = {{"soft", "x", "PreferNoSchedule"},
                    {"fine", "x", "NoSchedule"},
                    {"team", "blue", "NoSchedule"}};
  add(tainted);
  model::Pod p = pod("p");
  p.spec.tolerations = {{"fine", "Exists", "", ""}};
  EXPECT_THAT(change(p), ElementsAre("remove taint team=blue:NoSchedule"));
  p.spec.tolerations.clear();
  EXPECT_THAT(change(p), ElementsAre("remove taints fine=x:NoSchedule, team=blue:NoSchedule"));
}

TEST_F(ExplanationTest, LabelsForANodeSelectorNameWhatIsMissing) {
  model::Node labelled = node("a");
  labelled.labels = {{"zone", "z"}};
  add(labelled);
  model::Pod p = pod("p");
  p.spec.node_selector = {{"disk", "ssd"}, {"zone", "z"}};
  p.spec.has_node_selector = true;
  EXPECT_THAT(change(p), ElementsAre("labels that match the pod's nodeSelector: disk=ssd"));
}

TEST_F(ExplanationTest, LabelsForAnAffinity) {
  add(node("a"));
  model::Pod p = pod("p");
  p.spec.affinity.node_required =
      model::NodeSelector{{{{{"disk", "In", {"ssd", "nvme"}}, {"gpu", "Exists", {}}}, {}},
                           {{{"big", "Gt", {"7"}}}, {}}}};
  EXPECT_THAT(change(p), ElementsAre("labels that match the pod's required node affinity: "
                                     "disk In [ssd nvme] and gpu Exists, or big Gt [7]"));
}

TEST_F(ExplanationTest, OnlyPortsInTheWayAreFreed) {
  add(node("a"));
  add(on_node(with_port(pod("one"), 8080), "a"));
  add(on_node(with_port(pod("two"), 9090, "10.0.0.1"), "a"));
  add(on_node(with_port(pod("three"), 7070), "a"));
  EXPECT_THAT(change(with_port(pod("p"), 8080)), ElementsAre("free host port 0.0.0.0:TCP:8080"));
  EXPECT_THAT(change(with_port(with_port(pod("q"), 8080), 9090)),
              ElementsAre("free host ports 0.0.0.0:TCP:8080, 10.0.0.1:TCP:9090"));
}

TEST_F(ExplanationTest, ANodeHasNoOtherName) {
  add(node("a"));
  EXPECT_THAT(change(on_node(pod("p"), "b")), ElementsAre("nothing"));
}

TEST_F(ExplanationTest, ALabelOfAnotherNodeForAFilterThatReadsTheLabel) {
  std::string path = ::testing::TempDir() + "berth_explanation_rack.yaml";
  std::ofstream(path) << kRackConfig;
  start(config::load(path));
  model::Node a = node("a"), b = node("b", "0");
  a.labels = {{"example.com/rack", "r1"}};
  b.labels = {{"example.com/rack", "r2"}};
  add(a);
  add(b);
  model::Pod p = pod("p");
  p.spec.labels = {{"example.com/rack", "r2"}};
  Explanation explanation = explain(p);
  ASSERT_TRUE(explanation.nodes[0].change);
  ASSERT_EQ(explanation.nodes[0].change->size(), 1u);
  EXPECT_EQ(explanation.nodes[0].change->front().words, "label example.com/rack=r2");
}

TEST_F(ExplanationTest, EveryFilterIsAskedAndTheFirstRefusalIsReported) {
  model::Node bad = node("a", "1");
  bad.unschedulable = true;
  bad.taints = {{"k", "v", "NoSchedule"}};
  add(bad);
  Explanation explanation = explain(pod("p", "2"));
  const Explanation::Node& a = explanation.nodes[0];
  EXPECT_THAT(reported(a), ElementsAre("NodeUnschedulable"));
  EXPECT_EQ(filter(a, "TaintToleration").code, BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE);
  EXPECT_THAT(filter(a, "TaintToleration").reasons,
              ElementsAre("node(s) had untolerated taint {k: v}"));
  EXPECT_EQ(filter(a, "NodeResourcesFit").code, BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE);
  EXPECT_THAT(filter(a, "NodeResourcesFit").reasons, ElementsAre("Insufficient cpu"));
  EXPECT_EQ(filter(a, "NodeName").code, BERTH_SUCCESS);
  EXPECT_TRUE(filter(a, "NodePorts").skipped);
  ASSERT_TRUE(a.change);
  EXPECT_EQ(a.change->size(), 3u);  // of all three together
}

TEST_F(ExplanationTest, NominatedPodsCount) {
  add(node("a", "2"));
  model::Pod other = pod("other", "1500m");
  other.spec.priority = 10;
  other.nominated_node_name = "a";
  add(other);
  Explanation explanation = explain(pod("p", "1"));
  const Explanation::Node& a = explanation.nodes[0];
  EXPECT_FALSE(a.feasible);
  EXPECT_THAT(reported(a), ElementsAre("NodeResourcesFit"));
  EXPECT_TRUE(filter(a, "NodeResourcesFit").counting_nominated);
  ASSERT_TRUE(a.change);
  ASSERT_EQ(a.change->size(), 1u);
  EXPECT_THAT(a.change->front().words, HasSubstr("500m more allocatable cpu"));
}

TEST_F(ExplanationTest, ScoresAddUpAndTheWinnerComesFirst) {
  add(node("a", "4"));
  add(node("b", "16", "32Gi"));
  add(node("c", "0"));
  Explanation explanation = explain(pod("p", "1"));
  EXPECT_EQ(explanation.outcome, runtime::PodOutcome::kScheduled);
  EXPECT_TRUE(explanation.scored);
  ASSERT_EQ(explanation.nodes.size(), 3u);
  EXPECT_EQ(explanation.node, "b");
  EXPECT_EQ(explanation.nodes[0].name, "b");
  EXPECT_TRUE(explanation.nodes[0].won);
  EXPECT_EQ(explanation.nodes[2].name, "c");
  EXPECT_THAT(explanation.nodes[2].scores, IsEmpty());
  for (size_t i = 0; i < 2; ++i) {
    int64_t sum = 0;
    for (size_t k = 0; k < explanation.score_plugins.size(); ++k) {
      const Explanation::Score& score = explanation.nodes[i].scores[k];
      EXPECT_EQ(score.weighted, score.normalised * explanation.score_plugins[k].weight);
      sum += score.weighted;
    }
    EXPECT_EQ(explanation.nodes[i].total, sum);
  }
  EXPECT_GT(explanation.nodes[0].total, explanation.nodes[1].total);
  EXPECT_THAT(explanation.why, HasSubstr("highest of 2 feasible nodes"));
}

TEST_F(ExplanationTest, TiesAreSaidToBeDrawn) {
  add(node("b"));
  add(node("a"));
  Explanation explanation = explain(pod("p"));
  EXPECT_EQ(explanation.node, "a");
  EXPECT_THAT(explanation.why, HasSubstr("2 of 2 feasible nodes"));
  EXPECT_THAT(explanation.why, HasSubstr("draws"));
}

TEST_F(ExplanationTest, TiesAreNotDrawnFrom136On) {
  const Rules rules(KubeVersion::k1_36);
  start(config::defaults(config::Version::kV1, rules));
  add(node("b"));
  add(node("a"));
  const Explanation explanation = explain(pod("p"));
  EXPECT_EQ(explanation.node, "a");
  EXPECT_THAT(explanation.why, HasSubstr("by the order in which it searched"));
}

TEST_F(ExplanationTest, TheOnlyFeasibleNodeIsNotScored) {
  add(node("a"));
  add(node("b", "0"));
  Explanation explanation = explain(pod("p"));
  EXPECT_EQ(explanation.node, "a");
  EXPECT_FALSE(explanation.scored);
  EXPECT_THAT(explanation.why, HasSubstr("the only feasible node"));
}

TEST_F(ExplanationTest, ANominatedNodeIsTakenAndTheOthersAreStillExplained) {
  add(node("a"));
  add(node("b"));
  model::Pod p = pod("p");
  p.nominated_node_name = "b";
  Explanation explanation = explain(p);
  EXPECT_EQ(explanation.node, "b");
  EXPECT_THAT(explanation.why, HasSubstr("nominated"));
  EXPECT_TRUE(explanation.nodes[1].feasible);
  EXPECT_FALSE(explanation.nodes[1].searched);
}

model::Pod naming_nodes(std::vector<Texts> terms) {
  model::Pod p = pod("p");
  p.spec.affinity.node_required = model::NodeSelector{};
  for (Texts& term : terms) {
    model::NodeSelectorTerm made;
    for (std::string& name : term)
      made.match_fields.push_back({"metadata.name", "In", {std::move(name)}});
    p.spec.affinity.node_required->terms.push_back(std::move(made));
  }
  return p;
}

TEST_F(ExplanationTest, NodesThatPreFilterLeavesOut) {
  add(node("a"));
  add(node("b"));
  Explanation explanation = explain(naming_nodes({{"b"}}));
  EXPECT_EQ(explanation.node, "b");
  const Explanation::Node& a = explanation.nodes[1];
  EXPECT_FALSE(a.feasible);
  EXPECT_THAT(a.outside, HasSubstr("NodeAffinity"));
  EXPECT_THAT(reported(a), IsEmpty());
  EXPECT_FALSE(a.change);
}

TEST_F(ExplanationTest, APodThatPreFilterRefuses) {
  add(node("a"));
  Explanation explanation = explain(naming_nodes({{"a", "b"}}));
  EXPECT_EQ(explanation.outcome, runtime::PodOutcome::kUnschedulable);
  ASSERT_TRUE(explanation.pre_filter);
  EXPECT_EQ(explanation.pre_filter->plugin, "NodeAffinity");
  EXPECT_THAT(explanation.nodes[0].filters, IsEmpty());
  EXPECT_THAT(explanation.groups, IsEmpty());
  EXPECT_THAT(to_text(explanation), HasSubstr("pod affinity terms conflict"));
  EXPECT_THAT(to_text(explanation), HasSubstr("None of 1 node was filtered."));
}

model::Pod with_priority(model::Pod pod, int32_t priority) {
  pod.spec.priority = priority;
  return pod;
}

// As a run would preempt: the victims in their order, and nothing is carried out.
TEST_F(ExplanationTest, APodThatPreempts) {
  add(node("a"));
  add(on_node(with_priority(pod("high", "2"), 5), "a"));
  add(on_node(with_priority(pod("low", "2"), 1), "a"));
  const Explanation explanation = explain(with_priority(pod("p", "4"), 10));
  EXPECT_EQ(explanation.outcome, runtime::PodOutcome::kUnschedulable);
  ASSERT_TRUE(explanation.post_filter);
  EXPECT_EQ(explanation.post_filter->plugin, "DefaultPreemption");
  EXPECT_EQ(explanation.post_filter->node, "a");
  ASSERT_EQ(explanation.post_filter->victims.size(), 2u);
  EXPECT_EQ(explanation.post_filter->victims[0].pod, "default/high");
  EXPECT_EQ(explanation.post_filter->victims[1].priority, 1);
  EXPECT_FALSE(explanation.post_filter->draws);
  EXPECT_EQ(explanation.message, "0/1 nodes are available: 1 Insufficient cpu.");
  EXPECT_THAT(to_text(explanation),
              HasSubstr("PostFilter: DefaultPreemption nominates node a and evicts 2 pods\n"
                        "  default/high   priority 5\n  default/low    priority 1\n"));
  EXPECT_THAT(to_text(explanation), HasSubstr("Pod default/p: unschedulable, nominated to a\n"));
  EXPECT_EQ(cluster().pods_on("a").size(), 2u);
}

TEST_F(ExplanationTest, ManyVictimsAreCut) {
  add(node("a"));
  for (int i = 0; i < 12; ++i)
    add(on_node(with_priority(pod(("v" + std::to_string(i)).c_str(), "300m"), 1), "a"));
  const Explanation explanation = explain(with_priority(pod("p", "4"), 10));
  EXPECT_THAT(to_text(explanation), HasSubstr("\n  and 2 more: -o wide lists all\n"));
  EXPECT_THAT(to_text(explanation, Extent::kAll), HasSubstr("\n  default/v11   priority 1\n"));
}

// Both halves of the event, of which the second is a plugin's.
TEST_F(ExplanationTest, APodThatMayNotPreempt) {
  add(node("a"));
  add(on_node(pod("old", "4"), "a"));
  model::Pod never = with_priority(pod("p", "1"), 10);
  never.spec.preemption_policy = "Never";
  const Explanation explanation = explain(never);
  ASSERT_TRUE(explanation.post_filter);
  EXPECT_EQ(explanation.post_filter->node, "");
  EXPECT_EQ(explanation.message,
            "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: "
            "not eligible due to preemptionPolicy=Never.");
  EXPECT_THAT(to_text(explanation),
              HasSubstr("\nPostFilter: DefaultPreemption: preemption: not eligible due to "
                        "preemptionPolicy=Never.\n"));
  EXPECT_THAT(to_json(explanation), HasSubstr("\"texts\""));
}

TEST_F(ExplanationTest, AProfileWithoutPostFilter) {
  const std::string path = testing::TempDir() + "/explain_no_preemption.yaml";
  std::ofstream(path) << R"(
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- plugins:
    postFilter:
      disabled:
      - name: "*"
)";
  start(config::load(path));
  add(node("a", "1"));
  const Explanation explanation = explain(pod("p", "4"));
  ASSERT_TRUE(explanation.post_filter);
  EXPECT_EQ(explanation.post_filter->not_asked, "the profile has no PostFilter plugin");
  EXPECT_THAT(to_text(explanation),
              HasSubstr("\nPostFilter: not asked, the profile has no PostFilter plugin\n"));
}

TEST_F(ExplanationTest, GatedAndIgnoredPodsAndNoNodes) {
  model::Pod gated = pod("p");
  gated.spec.scheduling_gates = {"wait"};
  Explanation explanation = explain(gated);
  EXPECT_EQ(explanation.outcome, runtime::PodOutcome::kGated);
  EXPECT_THAT(to_text(explanation), HasSubstr("gated by SchedulingGates"));

  model::Pod ignored = pod("q");
  ignored.spec.scheduler_name = "another";
  EXPECT_EQ(explain(ignored).outcome, runtime::PodOutcome::kIgnored);

  EXPECT_EQ(explain(pod("r")).message, "no nodes available to schedule pods");
}

TEST_F(ExplanationTest, TextHasTheTableAndTheRefusals) {
  add(node("big", "16"));
  add(node("mid"));
  add(node("small", "500m"));
  std::string text = to_text(explain(pod("p", "1")));
  EXPECT_THAT(text, HasSubstr("Pod default/p: scheduled on big\n"));
  EXPECT_THAT(text, HasSubstr("\nbig    won "));
  EXPECT_THAT(text, HasSubstr("\nmid    feasible "));
  EXPECT_THAT(text, HasSubstr("\nRefused: 1 of 3 nodes, in 1 group of equal refusals"));
  EXPECT_THAT(text, HasSubstr("Insufficient cpu <- reported\n"));
  EXPECT_THAT(text, HasSubstr("\n  small   would fit: 500m more allocatable cpu\n"));
  EXPECT_THAT(text, HasSubstr("Skipped by their PreFilter: "));
}

TEST_F(ExplanationTest, JsonHasEverything) {
  add(node("big", "16"));
  add(node("small", "500m"));
  std::string json = to_json(explain(pod("p", "1")));
  EXPECT_THAT(json, HasSubstr(R"("result": "scheduled")"));
  EXPECT_THAT(json, HasSubstr(R"("verdict": "UnschedulableAndUnresolvable")"));
  EXPECT_THAT(json, HasSubstr(R"("verdict": "Skipped")"));
  EXPECT_THAT(json, HasSubstr(R"("attribute": "node.allocatable:cpu")"));
  add(node("mid"));
  EXPECT_THAT(to_json(explain(pod("q", "1"))), HasSubstr(R"("normalised": )"));
}

// A pod that waits in the core is explained as one that comes to it, and goes on waiting.
TEST_F(ExplanationTest, OfAPodThatWaits) {
  add(node("a", "1"));
  const std::string wanted = to_json(explain(pod("p", "3")));
  const model::PodId id = core_->door().add(pod("p", "3"));
  core_->door().arrive({&id, 1});
  core_->run_until_idle();
  const auto decisions = core_->scheduler().decisions().count();
  for (int i = 0; i < 2; ++i) {
    const auto explanation = explain_waiting(*core_, id);
    ASSERT_TRUE(explanation.has_value());
    EXPECT_EQ(to_json(*explanation), wanted);
  }
  EXPECT_EQ(core_->scheduler().decisions().count(), decisions);
  EXPECT_EQ(core_->cluster().pod(id).state, model::PodState::kWaiting);
}

TEST_F(ExplanationTest, OfAPodThatDoesNotWait) {
  add(node("a"));
  add(on_node(pod("old"), "a"));
  EXPECT_FALSE(explain_waiting(*core_, cluster().find_pod("default", "old")).has_value());
}

}  // namespace
}  // namespace berth::explain
