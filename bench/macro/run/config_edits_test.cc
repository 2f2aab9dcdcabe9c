#include "bench/macro/run/config_edits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/config/effective.h"

namespace berth::bench {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

// Plugins of the test: their first letter is the point, S for score and F for filter.
bool by_letter(std::string_view plugin, Point point) {
  if (plugin == "Sort") return point == Point::kQueueSort;
  if (plugin == "Bind") return point == Point::kBind;
  if (plugin == "Both") return point == Point::kScore || point == Point::kFilter;
  return point == (plugin.starts_with('F') ? Point::kFilter : Point::kScore);
}

config::Configuration two_profiles() {
  return config::parse(R"(
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- schedulerName: one
  plugins:
    multiPoint:
      disabled: [{name: "*"}]
      enabled: [{name: Sort}, {name: Bind}, {name: Both, weight: 2}, {name: Filter}]
- schedulerName: two
  plugins:
    multiPoint:
      disabled: [{name: "*"}]
      enabled: [{name: Sort}, {name: Bind}, {name: Score}]
    score: {enabled: [{name: Score, weight: 7}]}
)",
                       "test.yaml");
}

// The plugins of a point of a profile, with their weights at score.
std::vector<std::pair<std::string, int>> plugins_at(const config::Configuration& configuration,
                                                    size_t profile, Point point) {
  std::vector<std::pair<std::string, int>> plugins;
  const std::vector<config::EffectiveProfile> expanded = config::expand(configuration, by_letter);
  for (const auto& at : expanded[profile].plugins[point]) plugins.emplace_back(at.name, at.weight);
  return plugins;
}
std::vector<std::pair<std::string, int>> scores(const config::Configuration& configuration,
                                                size_t profile) {
  return plugins_at(configuration, profile, Point::kScore);
}

TEST(ConfigEdits, AWeightHoldsWhereverThePluginIsEnabled) {
  config::Configuration configuration = two_profiles();
  edit(configuration, {{{"Both", 5}, {"Score", 3}}, {}});
  EXPECT_THAT(scores(configuration, 0), testing::ElementsAre(std::pair("Both", 5)));
  // The weight at the point counts, and it is the edit's.
  EXPECT_THAT(scores(configuration, 1), testing::ElementsAre(std::pair("Score", 3)));
}

TEST(ConfigEdits, AWeightOf0EndsTheScoresAndNothingElse) {
  config::Configuration configuration = two_profiles();
  edit(configuration, {{{"Both", 0}, {"Score", 0}}, {}});
  EXPECT_TRUE(scores(configuration, 0).empty());
  EXPECT_TRUE(scores(configuration, 1).empty());
  EXPECT_EQ(plugins_at(configuration, 0, Point::kFilter).size(), 2u);
}

TEST(ConfigEdits, PluginsGoFromAndComeToEachProfile) {
  config::Configuration configuration = two_profiles();
  edit(configuration, {{{"Score", 4}}, {{"Both", false}, {"Score", true}}});
  EXPECT_THAT(scores(configuration, 0), testing::ElementsAre(std::pair("Score", 4)));
  EXPECT_THAT(scores(configuration, 1), testing::ElementsAre(std::pair("Score", 4)));
  EXPECT_EQ(plugins_at(configuration, 0, Point::kFilter).size(), 1u);
}

TEST(ConfigEdits, NamesThePluginThatWasMeant) {
  config::Configuration configuration = two_profiles();
  EXPECT_THAT(
      [&] {
        edit(configuration, {{{"Scorre", 1}}, {}});
      },
      ThrowsMessage<UsageError>(HasSubstr("did you mean Score?")));
  EXPECT_THAT(
      [&] {
        edit(configuration, {{}, {{"Filtre", false}}});
      },
      ThrowsMessage<UsageError>(HasSubstr("did you mean Filter?")));
  EXPECT_THAT(
      [&] {
        edit(configuration, {{{"Score", 1}}, {{"Score", false}}});
      },
      ThrowsMessage<UsageError>(HasSubstr("has no effect where plugin:Score is off")));
}

}  // namespace
}  // namespace berth::bench
