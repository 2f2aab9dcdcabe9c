#include "cli/diff/cause.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/diff/sided.h"

namespace berth::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

output::NodeScores scores(std::string node, int64_t fit, int64_t image, int64_t extender = 0) {
  output::NodeScores made;
  made.node = std::move(node);
  made.plugins = {{"Image", image, image, 1}, {"Fit", fit, fit, 2}};
  made.extenders = {{"http://e", extender}};
  made.total = image + 2 * fit + extender;
  return made;
}

// A takes x and B takes y.
Cause cause(output::NodeScores x_in_a, output::NodeScores y_in_a, output::NodeScores x_in_b,
            output::NodeScores y_in_b) {
  return deciding_score({std::vector{std::move(x_in_a), std::move(y_in_a)},
                         std::vector{std::move(x_in_b), std::move(y_in_b)}});
}

TEST(DecidingScore, IsTheFirstWithAnotherDistance) {
  const Cause found = cause(scores("x", 50, 10), scores("y", 40, 0),  //
                            scores("x", 30, 20), scores("y", 60, 10));
  EXPECT_EQ(found.kind, Cause::Kind::kScore);
  EXPECT_EQ(found.plugin, "Fit");  // both settings tell the same distance of Image
  EXPECT_EQ(found.why, "x has 100 against 80 of y in A, 60 against 120 in B");
  EXPECT_THAT(found.scores[0], SizeIs(2));
  EXPECT_EQ(cause_name(found), "score Fit");
}

TEST(DecidingScore, CountsWeights) {
  output::NodeScores x = scores("x", 10, 0), y = scores("y", 9, 1);
  x.plugins[1].weight = 1, y.plugins[1].weight = 1;
  EXPECT_EQ(cause(scores("x", 10, 0), scores("y", 9, 1), x, y).plugin, "Fit");
}

TEST(DecidingScore, IsATieWhereNoDistanceDiffers) {
  const Cause found =
      cause(scores("x", 5, 0), scores("y", 5, 0), scores("x", 9, 0), scores("y", 9, 0));
  EXPECT_EQ(found.kind, Cause::Kind::kTie);
  EXPECT_THAT(found.why, HasSubstr("10 each in A, 18 in B"));
}

TEST(DecidingScore, MayBeAnExtenders) {
  const Cause found =
      cause(scores("x", 5, 0, 7), scores("y", 5, 0), scores("x", 5, 0), scores("y", 5, 0, 7));
  EXPECT_EQ(found.kind, Cause::Kind::kExtender);
  EXPECT_EQ(found.plugin, "http://e");
}

TEST(DecidingScore, OfOneSettingAlone) {
  output::NodeScores x = scores("x", 5, 0), y = scores("y", 5, 0);
  x.plugins.push_back({"New", 3, 3, 1}), y.plugins.push_back({"New", 4, 4, 1});
  EXPECT_EQ(cause(scores("x", 5, 0), scores("y", 5, 0), x, y).plugin, "New");
}

TEST(DecidingScore, NeedsTheScoresOfBothNodes) {
  EXPECT_EQ(deciding_score({std::vector{scores("x", 1, 1)}, {}}).kind, Cause::Kind::kNotRecorded);
}

std::array<std::string, 2> read(const std::vector<std::string>& words,
                                SidedOption::Cut cut = SidedOption::Cut::kAtComma) {
  CLI::App app;
  SidedOption option(
      "--x", "preset",
      [](const std::string& value) {
        return value == "bad" ? std::string("is bad") : std::string();
      },
      cut);
  option.add_to(app, "", "");
  std::vector<std::string> reversed(words.rbegin(), words.rend());
  app.parse(reversed);
  option.read();
  return option.values();
}

TEST(SidedOption, HasAValueForEachSide) {
  EXPECT_THAT(read({}), ElementsAre("preset", "preset"));
  EXPECT_THAT(read({"--x", "a"}), ElementsAre("a", "a"));
  EXPECT_THAT(read({"--x", "a,b"}), ElementsAre("a", "b"));
  EXPECT_THAT(read({"--x", ",b"}), ElementsAre("", "b"));
  EXPECT_THAT(read({"--x", "a,b", "--x", "c"}), ElementsAre("a,b", "c"));
  EXPECT_THAT(read({"--x", "a,b"}, SidedOption::Cut::kNever), ElementsAre("a,b", "a,b"));
}

TEST(SidedOption, RefusesWhatIsNoPairOfValues) {
  EXPECT_THROW(read({"--x", "a,b,c"}), CLI::ValidationError);
  EXPECT_THROW(read({"--x", "a,bad"}), CLI::ValidationError);
}

}  // namespace
}  // namespace berth::cli
