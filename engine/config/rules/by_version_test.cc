// The parts of configurations in which kube-scheduler v1.36 differs from v1.34.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/config/effective.h"
#include "engine/config/testing.h"
#include "engine/config/write/write.h"

namespace berth::config {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::names;
using ::testing::Not;

const Rules kRules1_34(KubeVersion::k1_34);
const Rules kRules1_36(KubeVersion::k1_36);

Configuration read_by(const std::string& text, const Rules& rules) {
  return config::parse(testing::with_type(text), "f.yaml", rules);
}

std::vector<std::string> faults_by(const std::string& text, const Rules& rules) {
  return testing::faults_of([&] { read_by(text, rules); });
}

std::vector<std::string> expand_faults_by(const std::string& plugins, const Rules& rules) {
  return testing::faults_of([&] {
    expand(read_by("profiles: [{plugins: {" + plugins + "}}]", rules), testing::kube_implements);
  });
}

std::vector<PluginAt> scores_by(const std::string& plugins, const Rules& rules) {
  return expand(read_by("profiles: [{plugins: {" + plugins + "}}]", rules),
                testing::kube_implements)
      .front()
      .plugins[Point::kScore];
}

TEST(ClaimsScore, IsAPointOf1_36WithWeight2) {
  EXPECT_THAT(names(defaults(Version::kV1, kRules1_36).profiles[0].multi_point.enabled),
              Contains("DynamicResources=2"));
  EXPECT_THAT(names(scores_by("", kRules1_36)), Contains("DynamicResources=2"));
  EXPECT_THAT(names(scores_by("", kRules1_34)), Not(Contains(HasSubstr("DynamicResources"))));
  // A plugin that is named without a weight has 1.
  EXPECT_THAT(names(scores_by("multiPoint: {enabled: [{name: DynamicResources}]}", kRules1_36)),
              Contains("DynamicResources=1"));
}

TEST(ClaimsScore, IsNoPointOf1_34) {
  const std::string enabled = "score: {enabled: [{name: DynamicResources, weight: 5}]}";
  EXPECT_THAT(
      expand_faults_by(enabled, kRules1_34),
      ElementsAre(HasSubstr("plugins.score.enabled[0]: plugin \"DynamicResources\" does not "
                            "extend ScorePlugin plugin")));
  EXPECT_THAT(names(scores_by(enabled, kRules1_36)), Contains("DynamicResources=5"));
}

TEST(PlacementPoints, AreUnknownIn1_34) {
  EXPECT_THAT(expand_faults_by("placementGenerate: {}, placementScore: {}", kRules1_34),
              ElementsAre(HasSubstr("unknown field \"profiles[0].plugins.placementGenerate\""),
                          HasSubstr("unknown field \"profiles[0].plugins.placementScore\"")));
  const std::string former = testing::with_type(
      Version::kV1Beta3, "profiles: [{plugins: {placementScore: {enabled: [{name: A}]}}}]");
  EXPECT_THAT(testing::faults_of([&] { config::parse(former, "f.yaml", kRules1_36); }),
              ElementsAre(HasSubstr("unknown field")));
}

TEST(PlacementPoints, AreReadAndHaveNoEffect) {
  const Configuration configuration = read_by(
      "profiles: [{plugins: {placementGenerate: {enabled: [{name: TopologyPlacementGenerator}]}, "
      "placementScore: {enabled: [{name: PodGroupPodsCount, weight: 3}], disabled: [{name: '*'}]}, "
      "multiPoint: {enabled: [{name: PodGroupPodsCount}]}}}]",
      kRules1_36);
  EXPECT_THAT(
      configuration.without_effect,
      ElementsAre("profiles[0].plugins.placementGenerate", "profiles[0].plugins.placementScore",
                  "profiles[0].plugins.multiPoint.enabled[0]"));
  EXPECT_THAT(enabled_plugins(configuration.profiles[0]),
              Not(Contains(::testing::AnyOf("PodGroupPodsCount", "TopologyPlacementGenerator"))));
  expand(configuration, testing::kube_implements);
}

TEST(PlacementPoints, AreValidated) {
  EXPECT_THAT(expand_faults_by("placementScore: {enabled: [{name: ImageLocality}]}", kRules1_36),
              ElementsAre(HasSubstr("f.yaml:1:50: profiles[0].plugins.placementScore.enabled[0]: "
                                    "plugin \"ImageLocality\" does not extend PlacementScorePlugin "
                                    "plugin")));
  // The other point's plugin.
  EXPECT_THAT(expand_faults_by("placementScore: {enabled: [{name: TopologyPlacementGenerator}]}",
                               kRules1_36),
              ElementsAre(HasSubstr("does not extend PlacementScorePlugin plugin")));
  EXPECT_THAT(expand_faults_by("placementScore: {enabled: [{}], more: 1}", kRules1_36),
              ElementsAre(HasSubstr("unknown field")));
  EXPECT_THAT(expand_faults_by("placementScore: {enabled: [{}]}", kRules1_36),
              ElementsAre(HasSubstr("placementScore.enabled[0].name: Required value")));
  EXPECT_THAT(expand_faults_by("placementGenerate: {enabled: [{name: TopologyPlacementGenerator}, "
                               "{name: TopologyPlacementGenerator}]}",
                               kRules1_36),
              ElementsAre(HasSubstr("already registered as \"PlacementGeneratePlugin\"")));
  const Configuration unheard =
      read_by("profiles: [{plugins: {placementScore: {enabled: [{name: Mine}]}}}]", kRules1_36);
  EXPECT_THROW(refuse_missing(unheard, [](std::string_view plugin) { return plugin != "Mine"; }),
               MissingPlugins);
}

std::string plugin_args_of(const Configuration& configuration, std::string_view plugin) {
  const PluginArgs* args = configuration.profiles.front().args_of(plugin);
  return args == nullptr ? "none" : document::to_json(args->args);
}

std::string with_claims_args(const std::string& args) {
  return "profiles: [{pluginConfig: [{name: DynamicResources, args: " + args + "}]}]";
}

TEST(BindingTimeout, HasADefaultIn1_36) {
  EXPECT_EQ(plugin_args_of(defaults(Version::kV1, kRules1_36), "DynamicResources"),
            R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"DynamicResourcesArgs",)"
            R"("filterTimeout":"10s","bindingTimeout":"10m0s"})");
  EXPECT_EQ(plugin_args_of(defaults(Version::kV1, kRules1_34), "DynamicResources"), "none");
  EXPECT_EQ(plugin_args_of(read_by(with_claims_args("{bindingTimeout: 2s}"), kRules1_36),
                           "DynamicResources"),
            R"({"bindingTimeout":"2s"})");
  EXPECT_EQ(plugin_args_of(read_by(with_claims_args("{bindingTimeout: []}"), kRules1_36),
                           "DynamicResources"),
            R"({"bindingTimeout":[]})")
      << "the plugin refuses it";
  EXPECT_THAT(read_by(with_claims_args("{bindingTimeout: 2s, filterTimeout: null}"), kRules1_36)
                  .without_effect,
              ElementsAre("profiles[0].pluginConfig[0].args.bindingTimeout"));
}

TEST(BindingTimeout, IsUnknownIn1_34) {
  EXPECT_THAT(faults_by(with_claims_args("{bindingTimeout: 2s}"), kRules1_34),
              ElementsAre(HasSubstr("f.yaml:1:76: profiles[0].pluginConfig[0].args.bindingTimeout: "
                                    "strict decoding error: unknown field \"bindingTimeout\"")));
  EXPECT_THAT(faults_by(with_claims_args("{bindingTimeout: null}"), kRules1_34), IsEmpty());
}

TEST(BindingTimeout, IsOnlyForConfigurationsOfV1) {
  EXPECT_EQ(plugin_args_of(defaults(Version::kV1Beta3, kRules1_36), "DynamicResources"), "none");
}

TEST(Written, ByVersion) {
  const std::string yaml = complete_defaults(Version::kV1, kRules1_36);
  EXPECT_THAT(yaml, HasSubstr("bindingTimeout: \"10m0s\""));
  EXPECT_THAT(yaml, HasSubstr("- name: DynamicResources\n        weight: 2\n"));
  EXPECT_THAT(complete_defaults(Version::kV1, kRules1_34), Not(HasSubstr("bindingTimeout")));
  const Configuration again = config::parse(yaml, "f.yaml", kRules1_36);
  EXPECT_EQ(expand(again, testing::kube_implements)[0].plugins,
            expand(defaults(Version::kV1, kRules1_36), testing::kube_implements)[0].plugins);
  EXPECT_EQ(convert(again).yaml, convert(config::parse(convert(again).yaml, "f", kRules1_36)).yaml);
  EXPECT_THAT(convert(read_by("profiles: [{plugins: {placementScore: {enabled: [{name: Mine}]}}}]",
                              kRules1_36))
                  .yaml,
              HasSubstr("    placementScore:\n      enabled:\n      - name: Mine\n"));
}

}  // namespace
}  // namespace berth::config
