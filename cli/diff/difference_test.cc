#include "cli/diff/difference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/diff/recorded.h"

namespace berth::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

output::PodResult pod(std::string name, std::string node, int64_t tried = 1) {
  output::PodResult result;
  result.namespace_name = "default";
  result.name = std::move(name);
  result.node = std::move(node);
  result.outcome = result.node.empty() ? "unschedulable" : "scheduled";
  result.tried = Time(tried);
  return result;
}

// With causes, as of recorded runs.
Difference compared(std::vector<output::PodResult> a, std::vector<output::PodResult> b) {
  return compare_lists({std::move(a), std::move(b)});
}

std::vector<Change> changes_of(const Difference& difference) {
  std::vector<Change> changes;
  for (const PodDifference& one : difference.pods) changes.push_back(one.change);
  return changes;
}

TEST(Difference, NamesHowPodsEnd) {
  output::PodResult evicted = pod("e", "n1");
  evicted.evicted_by = "default/high";
  output::PodResult gated = pod("g", "");
  gated.outcome = "gated";
  const Difference difference =
      compared({pod("same", "n1"), pod("moves", "n1"), pod("lost", "n1"), pod("won", ""), evicted,
                pod("g", ""), pod("old", "n1")},
               {pod("same", "n1"), pod("moves", "n2"), pod("lost", ""), pod("won", "n2"),
                pod("e", "n1"), gated, pod("new", "n1")});
  EXPECT_THAT(
      changes_of(difference),
      ElementsAre(Change::kElsewhere, Change::kPlacedInA, Change::kPlacedInB, Change::kEvictedInA,
                  Change::kOtherOutcome, Change::kOnlyInA, Change::kOnlyInB));
  EXPECT_EQ(difference.runs[0].outcomes.at("evicted"), 1);
}

// The second pod of a name is not the first one.
TEST(Difference, TellsPodsOfOneNameApart) {
  const Difference difference =
      compared({pod("p", "n1"), pod("p", "n2")}, {pod("p", "n1"), pod("p", "n3")});
  ASSERT_THAT(changes_of(difference), ElementsAre(Change::kElsewhere));
  EXPECT_EQ(difference.pods[0].results[1]->node, "n3");
}

TEST(Difference, ReasonsOfRefusalsAreNoDifference) {
  output::PodResult other = pod("p", "");
  other.message = "another";
  EXPECT_THAT(compared({pod("p", "")}, {other}).pods, IsEmpty());
}

TEST(Difference, RecordedRunsAreExactAboutTheFirstAlone) {
  output::PodResult late = pod("late", "", 9), early = pod("early", "", 3);
  late.refused_by = {"Fit"}, early.refused_by = {"Taints"};
  const Difference difference =
      compared({pod("late", "n1", 9), pod("early", "n1", 3)}, {late, early});
  EXPECT_EQ(difference.pods[1].cause.plugin, "Taints");
  EXPECT_TRUE(difference.pods[1].cause.exact);
  EXPECT_FALSE(difference.pods[0].cause.exact);
}

TEST(Difference, GroupsTheLargestFirstAndTheUntoldLast) {
  output::PodResult a = pod("a", ""), b = pod("b", ""), c = pod("c", "");
  a.refused_by = {"One"}, b.refused_by = c.refused_by = {"Two"};
  const Difference difference = compared(
      {pod("x", "n1"), pod("y", "n1"), pod("z", "n1"), pod("a", "n"), pod("b", "n"), pod("c", "n")},
      {pod("x", "n2"), pod("y", "n2"), pod("z", "n2"), a, b, c});
  std::vector<std::string> names;
  for (const DifferenceGroup& group : difference.groups) names.push_back(group.name);
  EXPECT_THAT(names, ElementsAre("filter Two", "filter One", "not told by the recorded runs"));
}

TEST(Difference, APodLeavesByTheCauseOfItsPreemptor) {
  output::PodResult victim = pod("v", "n1"), high = pod("high", "");
  victim.evicted_by = "default/high";
  high.refused_by = {"Fit"};
  const Difference difference = compared({victim, pod("high", "n1")}, {pod("v", "n1"), high});
  EXPECT_EQ(difference.pods[0].cause.plugin, "Fit");
  EXPECT_EQ(difference.pods[0].cause.why, "it leaves for default/high");
}

TEST(Difference, TextShowsAFewPodsOfEachGroup) {
  std::vector<output::PodResult> a, b;
  for (int i = 0; i < 5; ++i) {
    a.push_back(pod("p" + std::to_string(i), "n1"));
    b.push_back(pod("p" + std::to_string(i), "n2"));
  }
  const Difference difference = compared(a, b);
  EXPECT_THAT(to_text(difference, {.pods = 2}), HasSubstr("... and 3 more"));
  EXPECT_THAT(to_text(difference, {.pods = 2}), Not(HasSubstr("default/p2")));
  EXPECT_THAT(to_text(difference, {.pods = 4}), HasSubstr("default/p4"));  // one more is shown
  EXPECT_THAT(to_text(difference, {.pods = 2}), HasSubstr("5 of 5 pods differ"));
}

TEST(Difference, TextFromOutsideIsNeitherACommandNorMarkup) {
  output::PodResult refused = pod("<b>&\x1b[2J", "");
  refused.message = "<script>alert(1)</script>";
  refused.refused_by = {"\"P\""};
  const Difference difference = compared({pod("<b>&\x1b[2J", "n1")}, {refused});
  EXPECT_THAT(to_text(difference, {}), HasSubstr("<b>&\\x1b[2J"));
  const std::string page = to_page(difference);
  EXPECT_THAT(page, HasSubstr("&lt;b&gt;&amp;\\x1b[2J"));
  EXPECT_THAT(page, HasSubstr("filter &quot;P&quot;"));
  EXPECT_THAT(page, Not(HasSubstr("<script")));
}

TEST(Difference, JsonHasAllPodsAndWhy) {
  const std::string json = to_json(compared({pod("p", "n1")}, {pod("p", "n2")}));
  EXPECT_THAT(json, HasSubstr("\"change\": \"elsewhere\""));
  EXPECT_THAT(json, HasSubstr("\"decided_by\": \"NotRecorded\""));
  EXPECT_THAT(json, HasSubstr("\"pods_different\": 1"));
}

}  // namespace
}  // namespace berth::cli
