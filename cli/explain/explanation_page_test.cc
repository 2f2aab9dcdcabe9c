#include "cli/explain/explanation_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::cli {
namespace {

using explain::Explanation;
using testing::HasSubstr;
using testing::Not;

Explanation::Filter refusal(std::string plugin, std::string reason) {
  Explanation::Filter filter;
  filter.plugin = std::move(plugin);
  filter.code = BERTH_UNSCHEDULABLE;
  filter.reasons = {std::move(reason)};
  filter.reported = true;
  return filter;
}

Explanation::Filter passes(std::string plugin) {
  Explanation::Filter filter;
  filter.plugin = std::move(plugin);
  return filter;
}

host::Item item(std::string name, int64_t number) {
  host::Fact fact;
  fact.name = "wanted";
  fact.number = number;
  return {.name = std::move(name), .facts = {fact}};
}

Explanation::Node refused_node(std::string name, std::string reason, size_t group) {
  Explanation::Node node;
  node.name = std::move(name);
  node.searched = true;
  node.filters = {passes("TaintToleration"), refusal("Fit", std::move(reason))};
  node.filters[1].numbers = {item("disks", 7)};
  node.change.emplace();
  node.change->push_back({"node.allocatable:disk", "3 more allocatable disk", 3});
  node.group = group;
  return node;
}

// A pod that waits: two groups, a plan and wakers.
Explanation waiting() {
  Explanation made;
  made.pod = "default/p";
  made.profile = "default-scheduler";
  made.kube_version = "1.36";
  made.outcome = runtime::PodOutcome::kUnschedulable;
  made.message = "0/3 nodes are available: 3 no disk.";
  made.post_filter.emplace();
  made.post_filter->plugin = "Preemption";
  made.post_filter->node = "n2";
  made.post_filter->victims = {{"default/victim", 5}};
  made.post_filter->draws = true;
  made.wakers = {{"Fit", {{"Node/Add", true}, {"Pod/Delete", false}}}};
  made.nodes = {refused_node("n1", "no disk", 0), refused_node("n2", "no disk", 0),
                refused_node("n3", "full", 1)};
  made.groups = {{{0, 1}}, {{2}}};
  return made;
}

Explanation placed() {
  Explanation made;
  made.pod = "default/p";
  made.outcome = runtime::PodOutcome::kScheduled;
  made.node = "n1";
  made.why = "its total of 140 is the highest of 1 feasible nodes";
  made.not_asked = {{"Gang", {"Permit"}}};
  made.scored = true;
  made.score_plugins = {{"Spread", 2, false}, {"Images", 1, true}};
  Explanation::Node node;
  node.name = "n1";
  node.feasible = node.won = node.searched = true;
  node.filters = {passes("TaintToleration")};
  Explanation::Score score;
  score.raw = 35;
  score.normalised = 70;
  score.weighted = 140;
  score.numbers = {item("zone", 4)};
  node.scores = {score, {}};
  node.total = 140;
  made.nodes = {node};
  return made;
}

TEST(ExplanationPage, TellsWhyNoNodeTakesThePod) {
  const std::string page = to_page(waiting(), {"a note"});
  EXPECT_THAT(page, HasSubstr("<h1>default/p fits on no node now, and is nominated to n2</h1>"));
  EXPECT_THAT(page, HasSubstr("0/3 nodes are available: 3 no disk."));
  EXPECT_THAT(page, HasSubstr("<li>a note</li>"));
  EXPECT_THAT(page, HasSubstr("Preemption nominates node n2 and evicts 1 pod"));
  EXPECT_THAT(page, HasSubstr("a run draws"));
  EXPECT_THAT(page, HasSubstr("<td>default/victim</td><td class=\"number\">5</td>"));
  EXPECT_THAT(page, HasSubstr("<td>Fit</td><td>Node/Add (each), Pod/Delete</td>"));
}

TEST(ExplanationPage, GroupsHaveReasonsNumbersAndWhatHelps) {
  const std::string page = to_page(waiting(), {});
  EXPECT_THAT(page, HasSubstr("3 of 3 nodes refused, in 2 groups of equal refusals"));
  EXPECT_THAT(page, HasSubstr("<summary>2 nodes: no disk</summary>"));
  EXPECT_THAT(page, HasSubstr("<summary>1 node: full</summary>"));
  EXPECT_THAT(page, HasSubstr("<td>Fit</td><td>Unschedulable</td><td>no disk &lt;- reported</td>"));
  EXPECT_THAT(page, HasSubstr("Fit disks: wanted 7"));
  EXPECT_THAT(page, HasSubstr("would fit: 3 more allocatable disk"));
  EXPECT_THAT(page, HasSubstr("node.allocatable:disk lacks 3"));
  EXPECT_THAT(page, HasSubstr("passed: TaintToleration"));
}

TEST(ExplanationPage, NodesHaveScoresWithWeightsAndNumbers) {
  const std::string page = to_page(placed(), {});
  EXPECT_THAT(page, HasSubstr("<h1>default/p goes to node n1</h1>"));
  EXPECT_THAT(page, HasSubstr("its total of 140 is the highest"));
  EXPECT_THAT(page, HasSubstr("Gang (Permit)"));
  EXPECT_THAT(page, HasSubstr(">Spread x2</th>"));
  EXPECT_THAT(page, HasSubstr(">35 / 70 / 140</td>"));
  EXPECT_THAT(page, HasSubstr("Skipped by their PreScore: Images (x1)"));
  EXPECT_THAT(page, HasSubstr("Spread: raw 35, normalised 70, x2 = 140\n  Spread zone: wanted 4"));
  EXPECT_THAT(page, HasSubstr("won, total 140"));
}

// Every node is there, and a field finds it; a part of another page has the closest ones alone.
TEST(ExplanationPage, HasEveryNode) {
  Explanation many = waiting();
  for (int i = 0; i < 500; ++i) {
    many.groups[1].nodes.push_back(many.nodes.size());
    many.nodes.push_back(refused_node("far" + std::to_string(i), "full", 1));
  }
  const std::string page = to_page(many, {});
  EXPECT_THAT(page, HasSubstr("id=\"narrow\""));
  EXPECT_THAT(page, HasSubstr("<details class=\"named\"><summary>far499 "));
  std::string part;
  explanation_part(part, many);
  EXPECT_THAT(part, HasSubstr("501 nodes: full"));
  EXPECT_THAT(part, Not(HasSubstr("far499")));
}

TEST(ExplanationPage, NamesTheGate) {
  Explanation gated;
  gated.pod = "default/p";
  gated.outcome = runtime::PodOutcome::kGated;
  gated.gated_by = "Gates";
  gated.message = "waits for a gate";
  const std::string page = to_page(gated, {});
  EXPECT_THAT(page, HasSubstr("default/p is kept out of the queue by Gates"));
  EXPECT_THAT(page, HasSubstr("waits for a gate"));
}

TEST(ExplanationPage, TextFromOutsideIsNeverMarkup) {
  constexpr char kHostile[] = "<script>alert(1)</script>\x1b[2J";
  Explanation hostile = waiting();
  hostile.pod = hostile.message = kHostile;
  hostile.pre_filter = {kHostile, BERTH_UNSCHEDULABLE, {kHostile}};
  hostile.post_filter->node = hostile.post_filter->victims[0].pod = kHostile;
  hostile.wakers[0].plugin = kHostile;
  hostile.nodes[0] = refused_node(kHostile, kHostile, 0);
  hostile.nodes[0].filters[1].numbers = {item(kHostile, 1)};
  hostile.nodes[0].change->front().words = kHostile;
  const std::string page = to_page(hostile, {kHostile});
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert(1)"));
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace berth::cli
