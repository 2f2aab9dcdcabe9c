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

const Rules k1_34(KubeVersion::k1_34);
const Rules k1_36(KubeVersion::k1_36);

Configuration read(const std::string& text, const Rules& rules) {
  return config::parse(testing::with_type(text), "f.yaml", rules);
}

std::vector<std::string> faults_in(const std::string& text, const Rules& rules) {
  return testing::faults_of([&] { read(text, rules); });
}

std::vector<std::string> faults_at(const std::string& plugins, const Rules& rules) {
  return testing::faults_of([&] {
    expand(read("profiles: [{plugins: {" + plugins + "}}]", rules), testing::kube_implements);
  });
}

std::vector<PluginAt> scores_of(const std::string& plugins, const Rules& rules) {
  return expand(read("profiles: [{plugins: {" + plugins + "}}]", rules), testing::kube_implements)
      .front()
      .plugins[Point::kScore];
}

TEST(ClaimsScore, IsAPointOf1_36WithWeight2) {
  EXPECT_THAT(names(defaults(Version::kV1, k1_36).profiles[0].multi_point.enabled),
              Contains("DynamicResources=2"));
  EXPECT_THAT(names(scores_of("", k1_36)), Contains("DynamicResources=2"));
  EXPECT_THAT(names(scores_of("", k1_34)), Not(Contains(HasSubstr("DynamicResources"))));
  // A plugin that is named without a weight has 1.
  EXPECT_THAT(names(scores_of("multiPoint: {enabled: [{name: DynamicResources}]}", k1_36)),
              Contains("DynamicResources=1"));
}

TEST(ClaimsScore, IsNoPointOf1_34) {
  const std::string enabled = "score: {enabled: [{name: DynamicResources, weight: 5}]}";
  EXPECT_THAT(
      faults_at(enabled, k1_34),
      ElementsAre(HasSubstr("plugins.score.enabled[0]: plugin \"DynamicResources\" does not "
                            "extend ScorePlugin plugin")));
  EXPECT_THAT(names(scores_of(enabled, k1_36)), Contains("DynamicResources=5"));
}

TEST(PlacementPoints, AreUnknownIn1_34) {
  EXPECT_THAT(faults_at("placementGenerate: {}, placementScore: {}", k1_34),
              ElementsAre(HasSubstr("unknown field \"profiles[0].plugins.placementGenerate\""),
                          HasSubstr("unknown field \"profiles[0].plugins.placementScore\"")));
  const std::string former = testing::with_type(
      Version::kV1Beta3, "profiles: [{plugins: {placementScore: {enabled: [{name: A}]}}}]");
  EXPECT_THAT(testing::faults_of([&] { config::parse(former, "f.yaml", k1_36); }),
              ElementsAre(HasSubstr("unknown field")));
}

TEST(PlacementPoints, AreReadAndHaveNoEffect) {
  const Configuration configuration = read(
      "profiles: [{plugins: {placementGenerate: {enabled: [{name: TopologyPlacementGenerator}]}, "
      "placementScore: {enabled: [{name: PodGroupPodsCount, weight: 3}], disabled: [{name: '*'}]}, "
      "multiPoint: {enabled: [{name: PodGroupPodsCount}]}}}]",
      k1_36);
  EXPECT_THAT(
      configuration.without_effect,
      ElementsAre("profiles[0].plugins.placementGenerate", "profiles[0].plugins.placementScore",
                  "profiles[0].plugins.multiPoint.enabled[0]"));
  EXPECT_THAT(enabled_plugins(configuration.profiles[0]),
              Not(Contains(::testing::AnyOf("PodGroupPodsCount", "TopologyPlacementGenerator"))));
  expand(configuration, testing::kube_implements);
}

TEST(PlacementPoints, AreValidated) {
  EXPECT_THAT(faults_at("placementScore: {enabled: [{name: ImageLocality}]}", k1_36),
              ElementsAre(HasSubstr("f.yaml:1:50: profiles[0].plugins.placementScore.enabled[0]: "
                                    "plugin \"ImageLocality\" does not extend PlacementScorePlugin "
                                    "plugin")));
  // The other point's plugin.
  EXPECT_THAT(faults_at("placementScore: {enabled: [{name: TopologyPlacementGenerator}]}", k1_36),
              ElementsAre(HasSubstr("does not extend PlacementScorePlugin plugin")));
  EXPECT_THAT(faults_at("placementScore: {enabled: [{}], more: 1}", k1_36),
              ElementsAre(HasSubstr("unknown field")));
  EXPECT_THAT(faults_at("placementScore: {enabled: [{}]}", k1_36),
              ElementsAre(HasSubstr("placementScore.enabled[0].name: Required value")));
  EXPECT_THAT(faults_at("placementGenerate: {enabled: [{name: TopologyPlacementGenerator}, "
                        "{name: TopologyPlacementGenerator}]}",
                        k1_36),
              ElementsAre(HasSubstr("already registered as \"PlacementGeneratePlugin\"")));
  const Configuration unheard =
      read("profiles: [{plugins: {placementScore: {enabled: [{name: Mine}]}}}]", k1_36);
  EXPECT_THROW(refuse_missing(unheard, [](std::string_view plugin) { return plugin != "Mine"; }),
               MissingPlugins);
}

std::string args_of(const Configuration& configuration, std::string_view plugin) {
  const PluginArgs* args = configuration.profiles.front().args_of(plugin);
  return args == nullptr ? "none" : document::to_json(args->args);
}

std::string with_claims_args(const std::string& args) {
  return "profiles: [{pluginConfig: [{name: DynamicResources, args: " + args + "}]}]";
}

TEST(BindingTimeout, HasADefaultIn1_36) {
  EXPECT_EQ(args_of(defaults(Version::kV1, k1_36), "DynamicResources"),
            R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"DynamicResourcesArgs",)"
            R"("filterTimeout":"10s","bindingTimeout":"10m0s"})");
  EXPECT_EQ(args_of(defaults(Version::kV1, k1_34), "DynamicResources"), "none");
  EXPECT_EQ(args_of(read(with_claims_args("{bindingTimeout: 2s}"), k1_36), "DynamicResources"),
            R"({"bindingTimeout":"2s"})");
  EXPECT_EQ(args_of(read(with_claims_args("{bindingTimeout: []}"), k1_36), "DynamicResources"),
            R"({"bindingTimeout":[]})")
      << "the plugin refuses it";
  EXPECT_THAT(
      read(with_claims_args("{bindingTimeout: 2s, filterTimeout: null}"), k1_36).without_effect,
      ElementsAre("profiles[0].pluginConfig[0].args.bindingTimeout"));
}

TEST(BindingTimeout, IsUnknownIn1_34) {
  EXPECT_THAT(faults_in(with_claims_args("{bindingTimeout: 2s}"), k1_34),
              ElementsAre(HasSubstr("f.yaml:1:76: profiles[0].pluginConfig[0].args.bindingTimeout: "
                                    "strict decoding error: unknown field \"bindingTimeout\"")));
  EXPECT_THAT(faults_in(with_claims_args("{bindingTimeout: null}"), k1_34), IsEmpty());
}

TEST(BindingTimeout, IsOnlyForConfigurationsOfV1) {
  EXPECT_EQ(args_of(defaults(Version::kV1Beta3, k1_36), "DynamicResources"), "none");
}

TEST(Written, ByVersion) {
  const std::string yaml = complete_defaults(Version::kV1, k1_36);
  EXPECT_THAT(yaml, HasSubstr("bindingTimeout: \"10m0s\""));
  EXPECT_THAT(yaml, HasSubstr("- name: DynamicResources\n        weight: 2\n"));
  EXPECT_THAT(complete_defaults(Version::kV1, k1_34), Not(HasSubstr("bindingTimeout")));
  const Configuration again = config::parse(yaml, "f.yaml", k1_36);
  EXPECT_EQ(expand(again, testing::kube_implements)[0].plugins,
            expand(defaults(Version::kV1, k1_36), testing::kube_implements)[0].plugins);
  EXPECT_EQ(convert(again).yaml, convert(config::parse(convert(again).yaml, "f", k1_36)).yaml);
  EXPECT_THAT(
      convert(read("profiles: [{plugins: {placementScore: {enabled: [{name: Mine}]}}}]", k1_36))
          .yaml,
      HasSubstr("    placementScore:\n      enabled:\n      - name: Mine\n"));
}

}  // namespace
}  // namespace berth::config
