#include "cli/replay/replay_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

output::NodeScores scored(std::string node, int64_t fit, int64_t image) {
  return {std::move(node), fit + 2 * image, {{"Fit", {}, fit, 1}, {"Image", {}, image, 2}}, {}};
}

Cause by(Cause::Kind kind, std::string plugin, std::string why) {
  return {.kind = kind, .plugin = std::move(plugin), .why = std::move(why)};
}

// A page of these pods, with `first` as the cause of the pod default/first.
class ReplayPage : public ::testing::Test {
 protected:
  std::string page() {
    return to_page(ReplayFacts{.title = "a title",
                               .notes = {},
                               .counts = {{"decisions", "12"}},
                               .first = ReplayFacts::First{.place = "decision 3 at 5ms",
                                                           .pod = "default/first",
                                                           .recorded = "on x",
                                                           .now = "on y",
                                                           .cause = &first},
                               .pods = &pods,
                               .not_asked = "not asked",
                               .of_resources = "this replay",
                               .resources = resources});
  }

  Cause first = by(Cause::Kind::kScore, "Fit", "x has 5 against 9 of y");
  ReplayedPods pods;
  std::vector<output::ResourceUse> resources;
};

TEST_F(ReplayPage, HasTheScoresOfBothNodesInBothSettings) {
  first.scores = {std::vector{scored("x", 5, 1), scored("y", 4, 2)},
                  std::vector{scored("x", 6, 1), scored("y", 9, 2)}};
  first.scores[1][1].extenders = {{"http", 7}};
  EXPECT_THAT(
      page(),
      AllOf(HasSubstr("x, as recorded</th>"), HasSubstr("y, as recorded</th>"),
            HasSubstr("x, now</th>"), HasSubstr("y, now</th></tr>"),
            HasSubstr("<tr><td>Fit</td><td class=\"number\">5</td><td class=\"number\">4</td>"
                      "<td class=\"number\">6</td><td class=\"number\">9</td></tr>"),
            HasSubstr("<tr><td>Image</td><td class=\"number\">2</td><td class=\"number\">4</td>"),
            HasSubstr("<tr><td>http</td><td class=\"number\">-</td><td class=\"number\">-</td>"
                      "<td class=\"number\">-</td><td class=\"number\">7</td></tr>\n"
                      "<tr><td>total</td><td class=\"number\">7</td>")));
}

TEST_F(ReplayPage, HasScoresOnceIfTheSettingsAgree) {
  first.scores = {std::vector{scored("x", 5, 1), scored("y", 4, 2)},
                  std::vector{scored("x", 5, 1), scored("y", 4, 2)}};
  EXPECT_THAT(page(),
              AllOf(HasSubstr(">x</th>"), HasSubstr(">y</th></tr>"), Not(HasSubstr(", now</th>"))));
}

TEST_F(ReplayPage, GroupsPodsByWhatDecides) {
  pods.add("default/first", "x", "y");
  pods.add("default/second", "x", "");
  for (const char* name : {"default/a", "default/b"})
    pods.add(name, "", "y", by(Cause::Kind::kFilter, "Taints", "y is refused"));
  const std::string html = page();
  const size_t filter = html.find("<summary>filter Taints: 2 pods</summary>");
  const size_t score = html.find("<summary>score Fit: 1 pod</summary>");
  const size_t rest = html.find("<summary>not asked: 1 pod</summary>");
  EXPECT_LT(filter, score);
  EXPECT_LT(score, rest);
  ASSERT_NE(rest, std::string::npos);
  EXPECT_LT(html.find("<td>default/b</td><td>pending -&gt; y</td><td>y is refused</td>"), score);
  EXPECT_GT(html.find("<td>default/second</td><td>x -&gt; pending</td><td></td>"), rest);
}

TEST_F(ReplayPage, ShowsAThousandPods) {
  for (int i = 0; i < 700; ++i) {
    pods.add("default/a" + std::to_string(i), "x", "y", by(Cause::Kind::kFilter, "A", ""));
    if (i < 600) pods.add("default/b" + std::to_string(i), "x", "y", by(Cause::Kind::kTie, "", ""));
  }
  EXPECT_THAT(page(), AllOf(HasSubstr("default/a699<"), HasSubstr("default/b299<"),
                            Not(HasSubstr("default/b300<")), HasSubstr("and 300 more")));
}

TEST_F(ReplayPage, HasTheUseOfResources) {
  EXPECT_THAT(page(), Not(HasSubstr("Utilisation")));
  resources = {{"cpu", 1500, 4000}, {"pods", 1, 0}};
  EXPECT_THAT(page(), AllOf(HasSubstr("Utilisation at the end of this replay"),
                            HasSubstr("<tr><td>cpu</td><td class=\"number\">37.50 %</td>"),
                            HasSubstr("<tr><td>pods</td><td class=\"number\">-</td>")));
}

TEST_F(ReplayPage, TakesNoMarkupFromOutside) {
  first = by(Cause::Kind::kFilter, "<i>", "<script>alert(1)</script>");
  first.scores = {std::vector{scored("<b>", 5, 1)}, std::vector{scored("<b>", 5, 2)}};
  pods.add("<u>/\"pod\"", "<s>", "&", by(Cause::Kind::kScore, "<em>", "<q>"));
  resources = {{"<tt>", 1, 2}};
  const std::string html = page();
  for (const char* markup :
       {"<script", "<i>", "<b>", "<u>", "<s>", "<em>", "<q>", "<tt>", "/\"pod"})
    EXPECT_THAT(html, Not(HasSubstr(markup)));
  EXPECT_THAT(html, AllOf(HasSubstr("&lt;u&gt;/&quot;pod&quot;"), HasSubstr("&amp;"),
                          Not(HasSubstr("://"))));
}

}  // namespace
}  // namespace berth::cli
