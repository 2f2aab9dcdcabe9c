#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/config/effective.h"
#include "engine/config/testing.h"

namespace berth::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::parse;
using ::testing::StartsWith;
using testing::with_plugins;

Available all_but(std::vector<std::string> absent) {
  return [absent = std::move(absent)](std::string_view plugin) {
    return std::ranges::find(absent, plugin) == absent.end();
  };
}

// The faults' texts; empty: nothing is missing.
std::vector<std::string> missing_in(const Configuration& configuration,
                                    const Available& available) {
  try {
    refuse_missing(configuration, available);
  } catch (const MissingPlugins& error) {
    return testing::texts(error);
  }
  return {};
}

TEST(RefuseMissing, DefaultPluginsAreNamedTogether) {
  const Configuration configuration = parse("profiles: [{schedulerName: a}, {schedulerName: b}]");
  EXPECT_THAT(
      missing_in(configuration, all_but({"InterPodAffinity", "VolumeZone"})),
      ElementsAre("plugins that come with Berth are enabled, and no plugin folder has them: "
                  "\"VolumeZone\", \"InterPodAffinity\"; name the folder that came with Berth, "
                  "which --no-default-plugins leaves out, with --plugins, or disable these plugins "
                  "in the configuration"));
}

TEST(RefuseMissing, AsksForNothingThatIsDisabledAltogether) {
  const Configuration configuration =
      with_plugins("multiPoint: {disabled: [{name: VolumeZone}, {name: Unheard}]}");
  EXPECT_THAT(missing_in(configuration, all_but({"VolumeZone", "Unheard"})), IsEmpty());
}

TEST(RefuseMissing, AMistypedNameIsProposed) {
  const Configuration configuration =
      with_plugins("multiPoint: {enabled: [{name: Rak}, {name: Unheard}]}");
  try {
    refuse_missing(configuration, all_but({"Rak", "Unheard"}), {"Lamps", "Rack"});
    FAIL() << "nothing is missing";
  } catch (const MissingPlugins& error) {
    EXPECT_THAT(testing::texts(error),
                ElementsAre(HasSubstr("there is no plugin \"Rak\"; did you mean Rack?"),
                            HasSubstr("there is no plugin \"Unheard\" among those found: add")));
  }
}

TEST(RefuseMissing, OneThatTheConfigurationNamesHasItsPlace) {
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
    refuse_missing(configuration, all_but(absent));
    FAIL() << "nothing is missing";
  } catch (const MissingPlugins& error) {
    EXPECT_THAT(error.names(),
                ElementsAre("NodeName", "VolumeBinding", "VolumeZone", "Other", "Mine"));
    const std::string hint =
        " among those found: it is one of kube-scheduler's; --plugins names the folders where "
        "plugins are looked for";
    const std::string stranger =
        " among those found: add the folder that holds it to where plugins are looked for, or "
        "remove it here";
    EXPECT_THAT(
        testing::texts(error),
        ElementsAre(StartsWith("plugins that come with Berth are enabled"),
                    "test.yaml:7:28: profiles[0].plugins.multiPoint.enabled[0]: there is no plugin "
                    "\"VolumeZone\"" +
                        hint,
                    "test.yaml:7:48: profiles[0].plugins.multiPoint.enabled[1]: there is no plugin "
                    "\"Other\"" +
                        stranger,
                    "test.yaml:5:45: profiles[0].plugins.score.enabled[1]: there is no plugin "
                    "\"Mine\"" +
                        stranger));
    remove_plugins(configuration, error.names());
    EXPECT_THAT(missing_in(configuration, all_but(absent)), IsEmpty());
  }
}

// The text about a plugin that is enabled at filter, behind "there is no plugin".
std::string said_of(const std::string& plugin) {
  Configuration configuration = with_plugins("filter: {enabled: [{name: " + plugin + "}]}");
  const std::string text = missing_in(configuration, all_but({plugin})).front();
  const std::string start =
      "test.yaml:1:42: profiles[0].plugins.filter.enabled[0]: there is no "
      "plugin \"" +
      plugin + "\"";
  EXPECT_EQ(text.substr(0, start.size()), start);
  return text.substr(start.size());
}

TEST(RefuseMissing, SaysWhatReplacedFormerPlugins) {
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
    EXPECT_THAT(missing_in(configuration, all_but({})), IsEmpty());
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
  EXPECT_EQ(enabled_plugins(defaults().profiles.front()).size(), 20u);
}

}  // namespace
}  // namespace berth::config
