#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "engine/config/effective.h"
#include "engine/config/profiles/score_weights.h"
#include "engine/config/testing.h"

namespace berth::config {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using testing::faults_of;
using ::testing::IsEmpty;
using testing::kube_implements;
using testing::names;
using testing::parse;
using testing::with_plugins;

// Plugins are named after the points they implement: F filter, S score, Q queueSort, B bind. So
// "FS1" implements Filter and Score.
bool letters(std::string_view plugin, Point point) {
  switch (point) {
    case Point::kFilter:
      return plugin.find('F') != std::string_view::npos;
    case Point::kScore:
      return plugin.find('S') != std::string_view::npos;
    case Point::kQueueSort:
      return plugin.find('Q') != std::string_view::npos;
    case Point::kBind:
      return plugin.find('B') != std::string_view::npos;
    default:
      return false;
  }
}

// A profile with the plugins Q and B and those of the text, without default plugins.
EffectiveProfile expanded(const std::string& multi_point, const std::string& points) {
  return expand(
      with_plugins("multiPoint: {disabled: [{name: '*'}], enabled: [{name: Q}, {name: B}" +
                   multi_point + "]}, " + points)
          .profiles.front(),
      letters);
}

TEST(Expand, TheDefaults) {
  const Configuration configuration = defaults(Version::kV1, Rules(KubeVersion::k1_34));
  const EffectiveProfile profile = expand(configuration, kube_implements).front();
  EXPECT_EQ(profile.scheduler_name, "default-scheduler");
  EXPECT_THAT(names(profile.plugins[Point::kPreEnqueue]),
              ElementsAre("SchedulingGates", "DynamicResources", "DefaultPreemption"));
  EXPECT_THAT(names(profile.plugins[Point::kQueueSort]), ElementsAre("PrioritySort"));
  EXPECT_THAT(names(profile.plugins[Point::kPreFilter]),
              ElementsAre("NodeAffinity", "NodePorts", "NodeResourcesFit", "VolumeRestrictions",
                          "NodeVolumeLimits", "VolumeBinding", "VolumeZone", "PodTopologySpread",
                          "InterPodAffinity", "DynamicResources"));
  EXPECT_THAT(
      names(profile.plugins[Point::kFilter]),
      ElementsAre("NodeUnschedulable", "NodeName", "TaintToleration", "NodeAffinity", "NodePorts",
                  "NodeResourcesFit", "VolumeRestrictions", "NodeVolumeLimits", "VolumeBinding",
                  "VolumeZone", "PodTopologySpread", "InterPodAffinity", "DynamicResources"));
  EXPECT_THAT(names(profile.plugins[Point::kPostFilter]),
              ElementsAre("DynamicResources", "DefaultPreemption"));
  EXPECT_THAT(
      names(profile.plugins[Point::kPreScore]),
      ElementsAre("TaintToleration", "NodeAffinity", "NodeResourcesFit", "VolumeBinding",
                  "PodTopologySpread", "InterPodAffinity", "NodeResourcesBalancedAllocation"));
  EXPECT_THAT(names(profile.plugins[Point::kScore]),
              ElementsAre("TaintToleration=3", "NodeAffinity=2", "NodeResourcesFit=1",
                          "VolumeBinding=1", "PodTopologySpread=2", "InterPodAffinity=2",
                          "NodeResourcesBalancedAllocation=1", "ImageLocality=1"));
  EXPECT_THAT(names(profile.plugins[Point::kReserve]),
              ElementsAre("VolumeBinding", "DynamicResources"));
  EXPECT_THAT(profile.plugins[Point::kPermit], IsEmpty());
  EXPECT_THAT(names(profile.plugins[Point::kPreBind]),
              ElementsAre("VolumeBinding", "DynamicResources"));
  EXPECT_THAT(names(profile.plugins[Point::kBind]), ElementsAre("DefaultBinder"));
  EXPECT_THAT(profile.plugins[Point::kPostBind], IsEmpty());
}

struct ExpandCase {
  std::string multi_point;
  std::string score;
  std::vector<std::string> expected;  // at score
};

TEST(Expand, OrdersAndWeighsByTheRules) {
  const ExpandCase cases[] = {
      {", {name: S1}, {name: F1}, {name: FS2}", "", {"S1=1", "FS2=1"}},
      {", {name: S1, weight: 4}, {name: S2, weight: -3}", "", {"S1=4", "S2=-3"}},
      // Part 2 before part 3.
      {", {name: S1}", "enabled: [{name: S2, weight: 5}]", {"S1=1", "S2=5"}},
      // Part 1 first, in the order of the point; then the rest of multiPoint; then the rest of the
      // point.
      {", {name: S1}, {name: S2}, {name: S3}",
       "enabled: [{name: S4}, {name: S3, weight: 2}, {name: S5}, {name: S1}]",
       {"S3=2", "S1=1", "S2=1", "S4=1", "S5=1"}},
      // The weight at the point takes precedence; unset there means 1, whatever multiPoint sets.
      {", {name: S1, weight: 9}", "enabled: [{name: S1}]", {"S1=1"}},
      {", {name: S1, weight: 9}", "enabled: [{name: S1, weight: 2}]", {"S1=2"}},
      {", {name: S1, weight: 9}", "enabled: [{name: S1, weight: 0}]", {"S1=1"}},
      // Disabled at the point.
      {", {name: S1}, {name: S2}", "disabled: [{name: S1}]", {"S2=1"}},
      {", {name: S1}, {name: S2}", "disabled: [{name: S3}]", {"S1=1", "S2=1"}},
      // Disabled and enabled at the point: part 3, because the plugin of multiPoint is disabled.
      {", {name: S1}, {name: S2}",
       "disabled: [{name: S1}], enabled: [{name: S1, weight: 3}]",
       {"S2=1", "S1=3"}},
      // "*" leaves only the plugins enabled at the point, in their order.
      {", {name: S1}, {name: S2}", "disabled: [{name: '*'}]", {}},
      {", {name: S1}, {name: S2}",
       "disabled: [{name: '*'}], enabled: [{name: S2}, {name: S3}]",
       {"S2=1", "S3=1"}},
      {", {name: S1}, {name: S2, weight: 6}",
       "disabled: [{name: '*'}, {name: S2}], enabled: [{name: S2, weight: 4}]",
       {"S2=4"}},
  };
  for (const auto& [multi_point, score, expected] : cases) {
    EXPECT_THAT(names(expanded(multi_point, "score: {" + score + "}").plugins[Point::kScore]),
                ElementsAreArray(expected))
        << "multiPoint: " << multi_point << ", score: " << score;
  }
}

TEST(Expand, PointsDoNotTouchEachOther) {
  const EffectiveProfile profile = expanded(", {name: FS1}, {name: FS2}",
                                            "filter: {disabled: [{name: FS1}]}, "
                                            "score: {enabled: [{name: FS2, weight: 8}]}");
  EXPECT_THAT(names(profile.plugins[Point::kFilter]), ElementsAre("FS2"));
  EXPECT_THAT(names(profile.plugins[Point::kScore]), ElementsAre("FS2=8", "FS1=1"));
  EXPECT_THAT(names(profile.plugins[Point::kQueueSort]), ElementsAre("Q"));
  EXPECT_THAT(names(profile.plugins[Point::kBind]), ElementsAre("B"));
}

TEST(Expand, OverridesOfTheDefaultsKeepTheirOrder) {
  const Configuration configuration = with_plugins(
      "multiPoint: {enabled: [{name: PodTopologySpread, weight: 26}]}, "
      "score: {disabled: [{name: TaintToleration}]}");
  const EffectiveProfile profile = expand(configuration, kube_implements).front();
  EXPECT_THAT(names(profile.plugins[Point::kScore]),
              ElementsAre("NodeAffinity=2", "NodeResourcesFit=1", "VolumeBinding=1",
                          "PodTopologySpread=26", "InterPodAffinity=2", "DynamicResources=2",
                          "NodeResourcesBalancedAllocation=1", "ImageLocality=1"));
}

// It does not matter where they are enabled, or whether the configuration sets weight 0.
TEST(Expand, FormerPluginsHaveTheWeightsThatTheyHad) {
  const auto implements = [](std::string_view plugin, Point point) {
    return kube_implements(plugin, point) ||
           (point == Point::kScore &&
            (plugin == "SelectorSpread" || plugin == "NodePreferAvoidPods"));
  };
  const auto scored = [&](const std::string& plugins) {
    return names(expand(with_plugins(plugins), implements).front().plugins[Point::kScore]);
  };
  for (const std::string at : {"score", "multiPoint"}) {
    std::vector<std::string> found =
        scored(at +
               ": {enabled: [{name: SelectorSpread}, {name: NodePreferAvoidPods, weight: 0}], "
               "disabled: [{name: '*'}]}, " +
               (at == "score" ? ""
                              : "queueSort: {enabled: [{name: PrioritySort}]}, bind: {enabled: "
                                "[{name: DefaultBinder}]}"));
    EXPECT_THAT(found, ElementsAre("SelectorSpread=1", "NodePreferAvoidPods=10000")) << at;
  }
  EXPECT_THAT(scored("score: {enabled: [{name: SelectorSpread, weight: 5}, {name: "
                     "NodePreferAvoidPods, weight: 2}], disabled: [{name: '*'}]}"),
              ElementsAre("SelectorSpread=5", "NodePreferAvoidPods=2"));
}

std::vector<std::string> refused(const std::string& multi_point, const std::string& points) {
  return faults_of([&] { expanded(multi_point, points); });
}

TEST(Expand, RefusesAPluginAtAPointThatItDoesNotImplement) {
  EXPECT_THAT(refused("", "filter: {enabled: [{name: F}, {name: S}]}"),
              ElementsAre("test.yaml:1:125: profiles[0].plugins.filter.enabled[1]: plugin \"S\" "
                          "does not extend FilterPlugin plugin"));
  // A plugin in multiPoint may implement no point at all.
  EXPECT_THAT(refused(", {name: X}", ""), IsEmpty());
}

TEST(Expand, RefusesAPluginThatIsEnabledTwice) {
  EXPECT_THAT(refused("", "score: {enabled: [{name: S}, {name: S, weight: 2}]}"),
              ElementsAre("test.yaml:1:124: profiles[0].plugins.score.enabled[1]: plugin \"S\" "
                          "already registered as \"ScorePlugin\""));
  EXPECT_THAT(refused(", {name: FS}, {name: FS}", ""),
              ElementsAre("test.yaml:1:105: profiles[0].plugins.multiPoint.enabled[3]: plugin "
                          "\"FS\" already registered as \"FilterPlugin\""));
  // A plugin that the point enables or disables is not taken from multiPoint, and so is not
  // doubled.
  EXPECT_THAT(refused(", {name: S}, {name: S}", "score: {enabled: [{name: S}]}"), IsEmpty());
  EXPECT_THAT(refused(", {name: S}, {name: S}", "score: {disabled: [{name: S}]}"), IsEmpty());
  EXPECT_THAT(refused(", {name: S}, {name: S}", "score: {disabled: [{name: '*'}]}"), IsEmpty());
}

TEST(Expand, NeedsOneQueueSortAndABinder) {
  EXPECT_THAT(refused("", "queueSort: {disabled: [{name: Q}]}"),
              ElementsAre("test.yaml:1:12: profiles[0]: only one queue sort plugin required for "
                          "profile with scheduler name \"default-scheduler\", but got 0"));
  EXPECT_THAT(refused(", {name: Q2}", ""),
              ElementsAre("test.yaml:1:12: profiles[0]: only one queue sort plugin required for "
                          "profile with scheduler name \"default-scheduler\", but got 2"));
  EXPECT_THAT(refused("", "bind: {disabled: [{name: '*'}]}"),
              ElementsAre("test.yaml:1:12: profiles[0]: at least one bind plugin is needed for "
                          "profile with scheduler name \"default-scheduler\""));
  EXPECT_THAT(refused(", {name: B2}", ""), IsEmpty());
}

TEST(Expand, RefusesWeightsThatCouldOverflow) {
  // As in kube-scheduler, after a total below zero the next plugin is refused.
  EXPECT_THAT(refused(", {name: S1, weight: -1}, {name: S2}", ""),
              ElementsAre("test.yaml:1:12: profiles[0]: total score of Score plugins could "
                          "overflow"));
  EXPECT_THAT(refused(", {name: S1, weight: 2}, {name: S2, weight: -1}, {name: S3}", ""),
              IsEmpty());
}

TEST(ScoreWeights, OverflowIsThatOfSixtyThreeBits) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  EXPECT_FALSE(score_total_overflows(0, std::numeric_limits<int32_t>::max()));
  EXPECT_FALSE(score_total_overflows(kMax - 100, 1));
  EXPECT_TRUE(score_total_overflows(kMax - 99, 1));
  EXPECT_FALSE(score_total_overflows(kMax - 99, -1));
  EXPECT_FALSE(score_total_overflows(0, -1));
  EXPECT_TRUE(score_total_overflows(-100, 1));
}

TEST(ExpandAll, GivesEveryProfile) {
  const Configuration configuration = parse(
      "profiles: [{schedulerName: a}, {schedulerName: b, plugins: {score: {disabled: [{name: "
      "'*'}], "
      "enabled: [{name: ImageLocality, weight: 3}]}}}]");
  const auto profiles = expand(configuration, kube_implements);
  ASSERT_EQ(profiles.size(), 2u);
  EXPECT_EQ(profiles[0].scheduler_name, "a");
  EXPECT_EQ(profiles[0].plugins[Point::kScore].size(), 9u);
  EXPECT_EQ(profiles[1].scheduler_name, "b");
  EXPECT_THAT(names(profiles[1].plugins[Point::kScore]), ElementsAre("ImageLocality=3"));
}

TEST(ExpandAll, WantsTheSameQueueSortInAllProfiles) {
  const auto implements = [](std::string_view plugin, Point point) {
    return kube_implements(plugin, point) || (plugin == "Q" && point == Point::kQueueSort);
  };
  const auto refused_all = [&](const std::string& text) {
    return faults_of([&] { expand(parse(text), implements); });
  };
  const std::string other =
      "plugins: {multiPoint: {disabled: [{name: PrioritySort}], enabled: [{name: Q}]}}";
  EXPECT_THAT(refused_all("profiles:\n- {schedulerName: a}\n- {schedulerName: b, " + other + "}"),
              ElementsAre("test.yaml:3:3: profiles[1]: different queue sort plugins for profile "
                          "\"b\": \"Q\", first: \"PrioritySort\""));
  const std::string args = ", pluginConfig: [{name: Q, args: {a: 1}}]";
  EXPECT_THAT(refused_all("profiles:\n- {schedulerName: a, " + other + args + "}\n" +
                          "- {schedulerName: b, " + other + "}"),
              ElementsAre("test.yaml:3:3: profiles[1]: different queue sort plugin args for "
                          "profile \"b\""));
  EXPECT_THAT(refused_all("profiles:\n- {schedulerName: a, " + other + args + "}\n" +
                          "- {schedulerName: b, " + other + args + "}"),
              IsEmpty());
}

}  // namespace
}  // namespace berth::config
