#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/results/refusal_reasons.h"
#include "cli/run_page/run_report.h"

namespace berth::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

output::PodResult waiting(std::string name, std::string message) {
  output::PodResult result;
  result.namespace_name = "default";
  result.name = std::move(name);
  result.outcome = result.queue = "unschedulable";
  result.message = std::move(message);
  return result;
}

output::PodResult placed(std::string name, std::string node) {
  output::PodResult result;
  result.namespace_name = "default";
  result.name = std::move(name);
  result.outcome = "scheduled";
  result.node = std::move(node);
  return result;
}

output::NodeUse node(std::string name, int64_t cpu, int64_t memory) {
  return {.node = std::move(name),
          .zone = "z",
          .pods = 3,
          .resources = {{"cpu", cpu, 1000}, {"memory", memory, 1000}}};
}

RunReport report() {
  RunReport made;
  made.summary.pods_total = 4;
  made.summary.pods_scheduled = 2;
  made.summary.pods_unschedulable = 2;
  made.summary.kube_version = "1.36";
  made.summary.nodes = 2;
  made.summary.resources = {{"cpu", 1300, 2000}};
  made.results = {placed("a", "n1"), waiting("b", "0/2 nodes are available: 2 no disk."),
                  waiting("c", "0/3 nodes are available: 3 no disk."), placed("d", "n1")};
  made.results[0].victims = {"default/d"};
  made.results[3].evicted_by = "default/a";
  made.results[3].gone = true;
  made.spread = {{.topology_key = "zone", .domains = 2, .minimum = 1, .maximum = 5, .mean = 3}};
  made.nodes = {node("n1", 900, 100), node("n2", 400, 300)};
  made.refusals = refusal_groups(made.results);
  return made;
}

// Numbers of nodes change from attempt to attempt, and the order of the reasons with them.
TEST(RunPage, ReasonsDoNotDependOnNumbers) {
  const std::string reasons = refusal_reasons(
      "0/12 nodes are available: 10 no disk, 2 node(s) had taint {a: b}. preemption: 0/12 nodes "
      "are available: 12 no victims.");
  EXPECT_EQ(reasons,
            "no disk, node(s) had taint {a: b}. preemption: nodes are available: no victims");
  EXPECT_EQ(reasons, refusal_reasons("0/12 nodes are available: 10 node(s) had taint {a: b}, 2 no "
                                     "disk. preemption: 0/12 nodes are available: 12 no victims."));
  EXPECT_NE(refusal_reasons("0/1 nodes are available: 1 no disk."),
            refusal_reasons("0/1 nodes are available: 1 no gpu."));
  EXPECT_EQ(refusal_reasons(""), "");
}

TEST(RunPage, GroupsPodsByReasonsTheLargestFirst) {
  const std::vector<RefusalGroup> groups =
      refusal_groups({waiting("x", "0/1 nodes are available: 1 no gpu."), placed("y", "n"),
                      waiting("b", "0/2 nodes are available: 2 no disk."),
                      waiting("c", "0/3 nodes are available: 3 no disk.")});
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].reasons, "no disk");
  EXPECT_THAT(groups[0].pods, testing::ElementsAre(2, 3));
  EXPECT_THAT(groups[1].pods, testing::ElementsAre(0));
}

TEST(RunPage, TellsHowPodsEndAndWhy) {
  const std::string page = to_page(report());
  EXPECT_THAT(page, HasSubstr("<h1>2 of 4 pods have no node</h1>"));
  EXPECT_THAT(page, HasSubstr("<td>unschedulable</td><td>2</td>"));
  EXPECT_THAT(page, HasSubstr("<td>2</td><td>default/b</td><td>no disk</td>"));
  EXPECT_THAT(page, HasSubstr("<td>default/c</td><td>unschedulable</td>"
                              "<td>0/3 nodes are available: 3 no disk.</td>"));
}

TEST(RunPage, TellsOfNodesAndEvictions) {
  const std::string page = to_page(report());
  EXPECT_THAT(page, HasSubstr("Nodes, the fullest first"));
  EXPECT_THAT(page, HasSubstr("<td class=\"number\">cpu 90.0 %</td>"));
  EXPECT_THAT(page, HasSubstr("<td>cpu</td><td class=\"number\">65.0 %</td>"));
  EXPECT_THAT(page, HasSubstr("<td class=\"number\">40.0 %</td><td class=\"number\">65.0 %</td>"
                              "<td class=\"number\">90.0 %</td>"));
  EXPECT_THAT(page, HasSubstr("<td>zone</td><td class=\"number\">2</td>"));
  EXPECT_THAT(page, HasSubstr("<td>default/d</td><td>n1</td><td>preempted by default/a</td>"));
  EXPECT_THAT(page, HasSubstr("<td>default/a</td><td>n1</td><td>default/d</td>"));
}

TEST(RunPage, OfManyNodesItShowsTheFullestAndTheEmptiest) {
  RunReport many = report();
  many.nodes.clear();
  for (int i = 0; i < 50; ++i) many.nodes.push_back(node("n" + std::to_string(i), 1000 - i, 1));
  const std::string page = to_page(many);
  EXPECT_THAT(page, HasSubstr("The fullest nodes"));
  EXPECT_THAT(page, HasSubstr("<td>n0</td>"));
  EXPECT_THAT(page, HasSubstr("The emptiest nodes"));
  EXPECT_THAT(page, HasSubstr("<td>n49</td>"));
  EXPECT_THAT(page, Not(HasSubstr("<td>n25</td>")));
}

TEST(RunPage, ExplainsAPodOfAGroup) {
  RunReport made = report();
  made.refusals[0].explanation.emplace();
  made.refusals[0].explanation->pod = "default/b";
  made.refusals[0].explanation->outcome = runtime::PodOutcome::kUnschedulable;
  EXPECT_THAT(to_page(made), HasSubstr("<summary>default/b fits on no node (2 pods)</summary>"));
  made.not_explained = "the run was interrupted";
  EXPECT_THAT(to_page(made), HasSubstr("not told: the run was interrupted"));
  EXPECT_THAT(to_page(made), Not(HasSubstr("default/b fits")));
}

TEST(RunPage, CutsLongListsAndSaysSo) {
  RunReport many = report();
  many.results.clear();
  for (int i = 0; i < 1003; ++i) many.results.push_back(waiting("p" + std::to_string(i), "no"));
  many.refusals = refusal_groups(many.results);
  EXPECT_THAT(to_page(many), HasSubstr("and 3 more"));
  EXPECT_THAT(to_page(many), Not(HasSubstr("<td>default/p1002</td>")));
}

TEST(RunPage, TextFromOutsideIsNeverMarkup) {
  constexpr char kHostile[] = "<script>\x1b[2J";
  RunReport hostile = report();
  hostile.summary.error = kHostile;
  hostile.summary.failures[kHostile] = 1;
  hostile.summary.resources[0].resource = kHostile;
  hostile.nodes[0].node = hostile.nodes[0].zone = kHostile;
  output::DrainResult& drain = hostile.drains.emplace_back();
  drain.node = drain.outcome = drain.message = kHostile;
  for (output::PodResult& pod : hostile.results) {
    pod.name = pod.message = kHostile;
    pod.evicted_because = pod.evicted_for = kHostile;
    pod.victims = {kHostile};
  }
  hostile.refusals = refusal_groups(hostile.results);
  const std::string page = to_page(hostile);
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;"));
  EXPECT_THAT(page, Not(HasSubstr("<script>")));
  EXPECT_THAT(page, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace berth::cli
