#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/config/effective.h"
#include "engine/config/test_support.h"

namespace berth::config {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::names;
using ::testing::Not;
using testing::parse;
using testing::with_plugins;

Available all_but(std::vector<std::string> absent) {
  return [absent = std::move(absent)](std::string_view plugin) {
    return std::ranges::find(absent, plugin) == absent.end();
  };
}

TEST(DropMissing, TakesDefaultPluginsOutOfAllProfiles) {
  Configuration configuration = parse("profiles: [{schedulerName: a}, {schedulerName: b}]");
  EXPECT_THAT(drop_missing(configuration, all_but({"InterPodAffinity", "VolumeZone"})),
              ElementsAre("VolumeZone", "InterPodAffinity"));
  for (const Profile& profile : configuration.profiles) {
    EXPECT_EQ(profile.multi_point.enabled.size(), 17u);
    EXPECT_THAT(names(profile.multi_point.enabled), Not(Contains("VolumeZone")));
  }
  EXPECT_THAT(drop_missing(configuration, all_but({"InterPodAffinity", "VolumeZone"})), IsEmpty());
}

TEST(DropMissing, AsksForNothingThatIsDisabledAltogether) {
  Configuration configuration = with_plugins("multiPoint: {disabled: [{name: VolumeZone}]}");
  EXPECT_THAT(drop_missing(configuration, all_but({"VolumeZone"})), IsEmpty());
}

TEST(DropMissing, OneNamedOnlyToDisableItIsDropped) {
  Configuration configuration =
      with_plugins("score: {disabled: [{name: PodTopologySpread}, {name: Unheard}]}");
  EXPECT_THAT(drop_missing(configuration, all_but({"PodTopologySpread", "Unheard"})),
              ElementsAre("PodTopologySpread"));
}

// As `kube-scheduler --write-config-to` writes it: default plugins are listed in multiPoint, those
// with arguments have them in pluginConfig.
TEST(DropMissing, ADumpMayNameAndConfigureThem) {
  Configuration configuration = parse(R"(
profiles:
- plugins:
    multiPoint: {enabled: [{name: NodeName}, {name: VolumeBinding}, {name: InterPodAffinity}]}
  pluginConfig:
  - name: NodeAffinity
  - name: DynamicResources
  - name: VolumeBinding
    args: {bindTimeoutSeconds: 600}
  - name: Unheard
)");
  EXPECT_THAT(drop_missing(configuration, all_but({"DynamicResources", "VolumeBinding"})),
              ElementsAre("VolumeBinding", "DynamicResources"));
  EXPECT_THAT(configuration.without_effect,
              ElementsAre("profiles[0].pluginConfig[3] (plugin \"Unheard\" is not enabled)",
                          "profiles[0].pluginConfig[1] (plugin \"DynamicResources\" is not built)",
                          "profiles[0].pluginConfig[2] (plugin \"VolumeBinding\" is not built)"));
  EXPECT_THAT(names(configuration.profiles[0].multi_point.enabled),
              AllOf(Not(Contains("VolumeBinding")), Contains("InterPodAffinity")));
}

TEST(DropMissing, OneThatTheConfigurationNamesIsAnError) {
  Configuration configuration = parse(R"(
profiles:
- schedulerName: a
  plugins:
    score: {enabled: [{name: NodeAffinity}, {name: Mine, weight: 2}]}
    reserve: {enabled: [{name: VolumeBinding}]}
    multiPoint: {enabled: [{name: VolumeZone}, {name: Other}]}
- schedulerName: b
  plugins:
    filter: {enabled: [{name: Mine}]}
  pluginConfig:
  - name: ImageLocality
  - name: InterPodAffinity
    args: {}
  - name: Unheard
)");
  const std::vector<std::string> absent = {"Mine",     "Other",         "VolumeZone",
                                           "NodeName", "VolumeBinding", "Unheard"};
  try {
    drop_missing(configuration, all_but(absent));
    FAIL() << "nothing is missing";
  } catch (const MissingPlugins& error) {
    EXPECT_THAT(error.names(), ElementsAre("Other", "Mine", "VolumeBinding"));
    const std::string hint =
        " among those found: it is one of kube-scheduler's; --plugins names the folders where "
        "plugins are looked for";
    const std::string stranger =
        " among those found: add the folder that holds it to where plugins are looked for, or "
        "remove it here";
    EXPECT_THAT(
        testing::texts(error),
        ElementsAre("test.yaml:7:48: profiles[0].plugins.multiPoint.enabled[1]: there is no plugin "
                    "\"Other\"" +
                        stranger,
                    "test.yaml:5:45: profiles[0].plugins.score.enabled[1]: there is no plugin "
                    "\"Mine\"" +
                        stranger,
                    "test.yaml:6:25: profiles[0].plugins.reserve.enabled[0]: there is no plugin "
                    "\"VolumeBinding\"" +
                        hint));
  }
  EXPECT_EQ(configuration.profiles[0].multi_point.enabled.size(), 20u);
  // A profile alone may be fine.
  EXPECT_THAT(drop_missing(configuration.profiles[1], all_but({"NodeName"})),
              ElementsAre("NodeName"));
}

// What it says of a plugin that is enabled at filter, behind "there is no plugin".
std::string said_of(const std::string& plugin) {
  Configuration configuration = with_plugins("filter: {enabled: [{name: " + plugin + "}]}");
  try {
    drop_missing(configuration, all_but({plugin}));
  } catch (const MissingPlugins& error) {
    const std::string text = testing::texts(error).front();
    const std::string start =
        "test.yaml:1:42: profiles[0].plugins.filter.enabled[0]: there is no "
        "plugin \"" +
        plugin + "\"";
    EXPECT_EQ(text.substr(0, start.size()), start);
    return text.substr(start.size());
  }
  return "nothing";
}

TEST(DropMissing, SaysWhatReplacedFormerPlugins) {
  const std::string once = ": kube-scheduler had it once; use ";
  const std::map<std::string, std::string> replaced = {
      {"RequestedToCapacityRatio", "the scoringStrategy of NodeResourcesFit"},
      {"NodeResourcesLeastAllocated", "the scoringStrategy of NodeResourcesFit"},
      {"NodeResourcesMostAllocated", "the scoringStrategy of NodeResourcesFit"},
      {"NodeLabel", "NodeAffinity"},
      {"ServiceAffinity", "InterPodAffinity"},
      {"DefaultPodTopologySpread", "PodTopologySpread"},
  };
  for (const auto& [former, now] : replaced) {
    EXPECT_EQ(said_of(former), once + now);
    // Somebody's own plugin may be called so.
    Configuration configuration = with_plugins("filter: {enabled: [{name: " + former + "}]}");
    EXPECT_THAT(drop_missing(configuration, all_but({})), IsEmpty());
  }
  for (const std::string optional : {"SelectorSpread", "NodePreferAvoidPods"})
    EXPECT_EQ(said_of(optional),
              " among those found: it is one of kube-scheduler's; --plugins names the folders "
              "where plugins are looked for");
}

TEST(EnabledPlugins, AreThoseOfAllPointsOnce) {
  const Configuration configuration = with_plugins(
      "multiPoint: {disabled: [{name: '*'}], enabled: [{name: B}, {name: A}, {name: B}]}, "
      "score: {enabled: [{name: C}, {name: A}]}, filter: {enabled: [{name: D}], disabled: [{name: "
      "E}]}");
  EXPECT_THAT(enabled_plugins(configuration.profiles.front()), ElementsAre("B", "A", "D", "C"));
  EXPECT_EQ(enabled_plugins(defaults().profiles.front()).size(), 19u);
}

}  // namespace
}  // namespace berth::config
