// The meaning of v1beta2 and v1beta3: their fields, defaults, weights and rules.

#include "engine/config/versions/version.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/config/testing.h"

namespace berth::config {
namespace {

using enum Version;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::expect_refused;
using ::testing::IsEmpty;
using testing::kube_implements;
using testing::names;
using ::testing::Not;
using testing::parse;

std::vector<std::string> runs(const Configuration& configuration, Point point) {
  return names(expand(configuration, kube_implements).front().plugins[point]);
}

TEST(Versions, HaveNames) {
  for (const Version version : {kV1Beta2, kV1Beta3, kV1})
    EXPECT_EQ(version_of(api_version(version)), version);
  EXPECT_EQ(version_named("v1beta3"), kV1Beta3);
  for (const std::string name : {"", "v1beta1", "kubescheduler.config.k8s.io/v1", "v1 "})
    EXPECT_EQ(version_named(name), std::nullopt) << name;
  for (const std::string name : {"v1", "v1beta2", "kubescheduler.config.k8s.io/v2"})
    EXPECT_EQ(version_of(name), std::nullopt) << name;
}

TEST(Versions, V1Beta3HasItsPlugins) {
  for (const Configuration& configuration : {defaults(kV1Beta3), parse(kV1Beta3, "")}) {
    EXPECT_EQ(configuration.version, kV1Beta3);
    EXPECT_THAT(
        names(configuration.profiles.front().multi_point.enabled),
        ElementsAre("PrioritySort", "NodeUnschedulable", "NodeName", "TaintToleration=3",
                    "NodeAffinity=2", "NodePorts", "NodeResourcesFit=1", "VolumeRestrictions",
                    "EBSLimits", "GCEPDLimits", "NodeVolumeLimits", "AzureDiskLimits",
                    "VolumeBinding", "VolumeZone", "PodTopologySpread=2", "InterPodAffinity=2",
                    "DefaultPreemption", "NodeResourcesBalancedAllocation=1", "ImageLocality=1",
                    "DefaultBinder", "SchedulingGates"));
    for (const PluginSet& set : configuration.profiles.front().points)
      EXPECT_THAT(set.enabled, IsEmpty());
  }
}

TEST(Versions, V1Beta2HasItsPluginsByPoint) {
  for (const Configuration& configuration : {defaults(kV1Beta2), parse(kV1Beta2, "")}) {
    EXPECT_EQ(configuration.version, kV1Beta2);
    EXPECT_THAT(configuration.profiles.front().multi_point.enabled, IsEmpty());
    EXPECT_THAT(runs(configuration, Point::kPreEnqueue), ElementsAre("SchedulingGates"));
    EXPECT_THAT(runs(configuration, Point::kQueueSort), ElementsAre("PrioritySort"));
    EXPECT_THAT(
        runs(configuration, Point::kPreFilter),
        ElementsAre("NodeResourcesFit", "NodePorts", "VolumeRestrictions", "PodTopologySpread",
                    "InterPodAffinity", "VolumeBinding", "VolumeZone", "NodeAffinity"));
    EXPECT_THAT(runs(configuration, Point::kFilter),
                ElementsAre("NodeUnschedulable", "NodeName", "TaintToleration", "NodeAffinity",
                            "NodePorts", "NodeResourcesFit", "VolumeRestrictions", "EBSLimits",
                            "GCEPDLimits", "NodeVolumeLimits", "AzureDiskLimits", "VolumeBinding",
                            "VolumeZone", "PodTopologySpread", "InterPodAffinity"));
    EXPECT_THAT(runs(configuration, Point::kPostFilter), ElementsAre("DefaultPreemption"));
    EXPECT_THAT(runs(configuration, Point::kPreScore),
                ElementsAre("InterPodAffinity", "PodTopologySpread", "TaintToleration",
                            "NodeAffinity", "NodeResourcesFit", "NodeResourcesBalancedAllocation"));
    EXPECT_THAT(runs(configuration, Point::kScore),
                ElementsAre("NodeResourcesBalancedAllocation=1", "ImageLocality=1",
                            "InterPodAffinity=1", "NodeResourcesFit=1", "NodeAffinity=1",
                            "PodTopologySpread=2", "TaintToleration=1"));
    EXPECT_THAT(runs(configuration, Point::kReserve), ElementsAre("VolumeBinding"));
    EXPECT_THAT(runs(configuration, Point::kPermit), IsEmpty());
    EXPECT_THAT(runs(configuration, Point::kPreBind), ElementsAre("VolumeBinding"));
    EXPECT_THAT(runs(configuration, Point::kBind), ElementsAre("DefaultBinder"));
    EXPECT_THAT(runs(configuration, Point::kPostBind), IsEmpty());
  }
}

TEST(Versions, V1Beta2MergesEveryPoint) {
  const Configuration configuration = parse(kV1Beta2, R"(
profiles:
- plugins:
    score:
      disabled: [{name: ImageLocality}, {name: NodeAffinity}]
      enabled: [{name: NodeResourcesFit, weight: 5}, {name: NodeAffinity, weight: 7},
                {name: InterPodAffinity}]
    preScore: {disabled: [{name: "*"}], enabled: [{name: TaintToleration}]}
    postFilter: {disabled: [{name: "*"}]}
)");
  // A default that is configured keeps its place, one that is disabled and enabled goes to the end,
  // and a weight that is not set is 1.
  EXPECT_THAT(
      runs(configuration, Point::kScore),
      ElementsAre("NodeResourcesBalancedAllocation=1", "InterPodAffinity=1", "NodeResourcesFit=5",
                  "PodTopologySpread=2", "TaintToleration=1", "NodeAffinity=7"));
  EXPECT_THAT(runs(configuration, Point::kPreScore), ElementsAre("TaintToleration"));
  EXPECT_THAT(runs(configuration, Point::kPostFilter), IsEmpty());
  EXPECT_EQ(runs(configuration, Point::kFilter).size(), 15u);
}

TEST(Versions, OldOnesDropWhatKubeSchedulerDrops) {
  const std::string text =
      "profiles: [{plugins: {preEnqueue: {enabled: [{name: A}], disabled: [{name: '*'}]}}}]";
  for (const Version version : {kV1Beta2, kV1Beta3}) {
    const Configuration configuration = parse(version, text);
    EXPECT_THAT(configuration.without_effect, ElementsAre("profiles[0].plugins.preEnqueue"));
    EXPECT_THAT(runs(configuration, Point::kPreEnqueue), Contains("SchedulingGates"));
    EXPECT_THAT(runs(configuration, Point::kPreEnqueue), Not(Contains("A")));
  }
  EXPECT_THAT(names(parse(kV1, text).profiles[0].points[Point::kPreEnqueue].enabled),
              ElementsAre("A"));
  const std::string multi_point = "profiles: [{plugins: {multiPoint: {disabled: [{name: '*'}]}}}]";
  const Configuration configuration = parse(kV1Beta2, multi_point);
  EXPECT_THAT(configuration.without_effect, ElementsAre("profiles[0].plugins.multiPoint"));
  EXPECT_EQ(runs(configuration, Point::kFilter).size(), 15u);
  EXPECT_THAT(parse(kV1Beta3, multi_point).profiles[0].multi_point.enabled, IsEmpty());
}

TEST(Versions, HaveTheirOwnFields) {
  for (const Version version : {kV1Beta2, kV1Beta3})
    expect_refused(
        {{"delayCacheUntilActive: true",
          {"1:1: strict decoding error: unknown field \"delayCacheUntilActive\""}},
         {"profiles: [{percentageOfNodesToScore: 5}]",
          {"1:13: strict decoding error: unknown field \"profiles[0].percentageOfNodesToScore\""}}},
        version);
  for (const Version version : {kV1, kV1Beta3})
    expect_refused({{"healthzBindAddress: ''",
                     {"1:1: strict decoding error: unknown field \"healthzBindAddress\""}}},
                   version);
}

TEST(Versions, V1Beta2HasAddressesWithoutPort) {
  expect_refused(
      {{"healthzBindAddress: ''\nmetricsBindAddress: 0.0.0.0:0", {}},
       {"healthzBindAddress: '[::1]:0'", {}},
       {"healthzBindAddress: 0.0.0.0:10251",
        {"1:21: healthzBindAddress: Invalid value: \"0.0.0.0:10251\": must be empty or with an "
         "explicit 0 port"}},
       {"metricsBindAddress: '0.0.0.0'",
        {"1:21: metricsBindAddress: Invalid value: \"0.0.0.0\": missing port in address"}},
       {"metricsBindAddress: ':0'",
        {"1:21: metricsBindAddress: Invalid value: \":0\": must be a valid IP address, (e.g. "
         "10.9.8.7 or 2001:db8::ffff)"}}},
      kV1Beta2);
}

TEST(Versions, AllowTheirPlugins) {
  const std::string text =
      "profiles: [{plugins: {filter: {enabled: [{name: EBSLimits}, {name: CinderLimits}]}}, "
      "pluginConfig: [{name: GCEPDLimits}]}]";
  for (const Version version : {kV1Beta2, kV1Beta3})
    EXPECT_THAT(testing::refused(text, version), IsEmpty());
  EXPECT_EQ(testing::refused(text, kV1).size(), 3u);
}

TEST(Versions, ArgumentsAreOfTheVersionOfTheFile) {
  const auto with_args = [](std::string_view version) {
    return "profiles: [{pluginConfig: [{name: NodeResourcesFit, args: {apiVersion: "
           "kubescheduler.config.k8s.io/" +
           std::string(version) + "}}]}]";
  };
  for (const Version version : {kV1Beta2, kV1Beta3, kV1}) {
    EXPECT_THAT(testing::refused(with_args(version_name(version)), version), IsEmpty());
    const Version other = version == kV1 ? kV1Beta3 : kV1;
    EXPECT_THAT(testing::refused(with_args(version_name(other)), version),
                ElementsAre("1:72: profiles[0].pluginConfig[0].args.apiVersion: args of plugin "
                            "\"NodeResourcesFit\" must be of apiVersion \"" +
                            std::string(api_version(version)) + "\", not \"" +
                            std::string(api_version(other)) + "\""));
  }
}

TEST(Versions, OneQueueSortForAllProfiles) {
  const std::string two =
      "profiles: [{schedulerName: a}, {schedulerName: b, plugins: {queueSort: {enabled: [{name: "
      "Q}], disabled: [{name: '*'}]}}}]";
  EXPECT_THAT(
      testing::refused(two, kV1Beta2),
      ElementsAre("1:72: profiles[1].plugins.queueSort: Invalid value: must be the same for "
                  "all profiles"));
  EXPECT_THAT(
      testing::refused("profiles: [{plugins: {queueSort: {enabled: [{name: Q}]}}}]", kV1Beta2),
      ElementsAre("1:44: profiles[0].plugins.queueSort.enabled: Invalid value: 2: only one "
                  "queue sort plugin can be enabled"));
  EXPECT_THAT(testing::refused("profiles: [{schedulerName: a}, {schedulerName: b}]", kV1Beta2),
              IsEmpty());
}

}  // namespace
}  // namespace berth::config
