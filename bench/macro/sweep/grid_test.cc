#include "bench/macro/sweep/grid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "engine/base/error.h"

namespace berth::bench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr uint64_t kAny = UINT64_MAX;

void expect_refused(const std::string& axis, const std::string& why) {
  EXPECT_THAT([&] { parse_axis(axis); }, ThrowsMessage<UsageError>(HasSubstr(why))) << axis;
}

TEST(Axes, ListValuesAndRanges) {
  EXPECT_THAT(parse_axis("percentage=10,50..52,100").values,
              ElementsAre("10", "50", "51", "52", "100"));
  EXPECT_THAT(parse_axis("seed=0..9..4").values, ElementsAre("0", "4", "8"));
  EXPECT_THAT(parse_axis("seed=18446744073709551614..18446744073709551615").values,
              ElementsAre("18446744073709551614", "18446744073709551615"));
  EXPECT_THAT(parse_axis("weight:A=007").values, ElementsAre("7"));
  EXPECT_THAT(parse_axis("kube-version=v1.34.1,1.36").values, ElementsAre("1.34", "1.36"));
  EXPECT_THAT(parse_axis("config=../a..b.yaml,default").values,
              ElementsAre("../a..b.yaml", "default"));
}

TEST(Axes, RefuseWhatTheyDoNotTake) {
  expect_refused("percentage", "expected NAME=VALUE");
  expect_refused("=1", "expected NAME=VALUE");
  expect_refused("percentages=1", "did you mean \"percentage\"?");
  expect_refused("wieght:A=1", "did you mean \"weight\"?");
  expect_refused("weight=1", "expected weight:PLUGIN");
  expect_refused("seed:A=1", "expected seed without a colon");
  expect_refused("percentage=101", "--vary percentage: ");
  expect_refused("percentage=", "a value is empty");
  expect_refused("percentage=1,,2", "a value is empty");
  expect_refused("plugin:A=no", "expected on or off, found \"no\"");
  expect_refused("weight:A=-1", "--vary weight:A: ");
  expect_refused("weight:A=2147483648", "--vary weight:A: ");
  expect_refused("seed=3,1..4", "lists 3 twice");
  expect_refused("weight:A=1,01", "lists 1 twice");
  expect_refused("seed=4..1", "from the larger to the smaller");
  expect_refused("seed=0..99999999", "more than 100000 values");
}

SettingsGrid small() {
  return SettingsGrid(
      {parse_axis("weight:A=1,2"), parse_axis("seed=5,6,7"), parse_axis("percentage=10,20")}, kAny);
}

TEST(Grids, TheLastAxisVariesFastest) {
  const SettingsGrid grid = small();
  EXPECT_EQ(grid.size(), 12u);
  EXPECT_EQ(settings_text(grid.settings(0)), "weight:A=1, seed=5, percentage=10");
  EXPECT_EQ(settings_text(grid.settings(1)), "weight:A=1, seed=5, percentage=20");
  EXPECT_EQ(settings_text(grid.settings(2)), "weight:A=1, seed=6, percentage=10");
  EXPECT_EQ(settings_text(grid.settings(11)), "weight:A=2, seed=7, percentage=20");
}

TEST(Grids, HaveEachCombinationOnce) {
  const SettingsGrid grid = small();
  std::set<SettingsGrid::Settings> known;
  for (uint64_t i = 0; i < grid.size(); ++i) known.insert(grid.settings(i));
  EXPECT_EQ(known.size(), grid.size());
}

TEST(Grids, RowsAreOfWhatIsNotDrawn) {
  const SettingsGrid grid = small();
  EXPECT_EQ(grid.combinations_per_row(), 3u);
  std::map<SettingsGrid::Settings, uint64_t> rows;
  for (uint64_t i = 0; i < grid.size(); ++i) ++rows[grid.row(i)];
  ASSERT_EQ(rows.size(), 4u);
  for (const auto& [row, count] : rows) EXPECT_EQ(count, 3u) << settings_text(row);
  // An axis of one value is in no label.
  const SettingsGrid one({parse_axis("percentage=10"), parse_axis("weight:A=1,2")}, kAny);
  EXPECT_EQ(settings_text(one.row(1)), "weight:A=2");
  EXPECT_EQ(settings_text(one.settings(1)), "percentage=10, weight:A=2");
}

TEST(Grids, SetEverySettingInTheVariant) {
  const SettingsGrid grid(
      {parse_axis("weight:A=3"), parse_axis("plugin:B=off"), parse_axis("percentage=7"),
       parse_axis("seed=8"), parse_axis("tie-seed=9"), parse_axis("tie-break=name"),
       parse_axis("kube-version=1.34"), parse_axis("gate:G=true"), parse_axis("config=c.yaml"),
       parse_axis("evaluation=full"), parse_axis("threads=2"), parse_axis("set:nodes=10,20")},
      kAny);
  const Variant variant = grid.variant(1, {});
  EXPECT_EQ(variant.combination, 1u);
  EXPECT_EQ(variant.label, "set:nodes=20");
  EXPECT_EQ(variant.edits.weights.at("A"), 3);
  EXPECT_FALSE(variant.edits.plugins.at("B"));
  EXPECT_EQ(variant.percentage, 7);
  EXPECT_EQ(variant.seed, 8u);
  EXPECT_EQ(variant.tie_seed, 9u);
  EXPECT_EQ(variant.tie_break, framework::TieBreak::kName);
  EXPECT_EQ(variant.rules.version, KubeVersion::k1_34);
  EXPECT_TRUE(variant.rules.gates.at("G"));
  EXPECT_EQ(variant.config, "c.yaml");
  EXPECT_EQ(variant.evaluation, framework::Evaluation::kFull);
  EXPECT_EQ(variant.threads, 2);
  EXPECT_EQ(variant.parameters.at("nodes"), "20");
  EXPECT_EQ(variant.settings.size(), 12u);
}

TEST(Grids, RefuseAxesTwiceAndTooManyCombinations) {
  EXPECT_THAT(
      [] {
        SettingsGrid({parse_axis("seed=1"), parse_axis("seed=2")}, kAny);
      },
      ThrowsMessage<UsageError>(HasSubstr("is varied twice")));
  EXPECT_THAT(
      [] {
        SettingsGrid({parse_axis("seed=0..9"), parse_axis("percentage=1..11")}, 109);
      },
      ThrowsMessage<UsageError>(HasSubstr("110 combinations (10 of seed, 11 of percentage)")));
  EXPECT_EQ(SettingsGrid({parse_axis("seed=0..9"), parse_axis("percentage=1..11")}, 110).size(),
            110u);
  // More than 64 bits can count.
  std::vector<Axis> axes;
  for (const char* name : {"seed", "tie-seed", "set:a", "set:b"})
    axes.push_back(parse_axis(std::string(name) + "=1..65536"));
  axes.push_back(parse_axis("set:c=1..2"));
  EXPECT_THROW(SettingsGrid(axes, kAny - 1), UsageError);
}

TEST(Parts, TogetherHaveEachCombinationOnce) {
  std::mt19937 draws(3);
  for (int trial = 0; trial < 300; ++trial) {
    const uint64_t size = 1 + draws() % 60, of = 1 + draws() % 70;
    const SettingsGrid grid({parse_axis("seed=1.." + std::to_string(size))}, kAny);
    std::map<uint64_t, int> seen;
    for (uint64_t number = 1; number <= of; ++number)
      for (const uint64_t combination : grid.of({number, of})) {
        ++seen[combination];
        EXPECT_TRUE((Part{number, of}.has(combination)));
      }
    ASSERT_EQ(seen.size(), size);
    for (const auto& [combination, times] : seen) EXPECT_EQ(times, 1) << combination;
  }
}

TEST(Parts, AreReadFromTheirText) {
  EXPECT_EQ(parse_part("2/3").number, 2u);
  EXPECT_EQ(parse_part("2/3").of, 3u);
  EXPECT_EQ(small().of(parse_part("1/18446744073709551615")).size(), 1u);
  for (const char* wrong : {"", "1", "/", "0/3", "4/3", "1/0", "-1/3", "1/3x", "x1/3", "1/ 3"})
    EXPECT_THAT([&] { parse_part(wrong); },
                ThrowsMessage<UsageError>(HasSubstr("expected I/N with I from 1 to N")))
        << wrong;
}

}  // namespace
}  // namespace berth::bench
