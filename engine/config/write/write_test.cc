// Configurations that are written can be read again and mean the same.

#include "engine/config/write/write.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/config/profiles/equal.h"
#include "engine/config/testing.h"

namespace berth::config {
namespace {

using enum Version;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

Configuration read(const std::string& text) { return config::parse(text, "written.yaml"); }

void expect_same_plugins(const Profile& a, const Profile& b) {
  EXPECT_EQ(testing::names(a.multi_point.enabled), testing::names(b.multi_point.enabled));
  for (const Point point : kConfiguredPoints)
    EXPECT_EQ(testing::names(a.points[point].enabled), testing::names(b.points[point].enabled))
        << point_info(point).key;
}

// Expects that the text that is written for a configuration means the same.
void expect_same(const Configuration& configuration) {
  const Written written = convert(configuration);
  const Configuration again = read(written.yaml);
  EXPECT_EQ(again.version, kV1);
  EXPECT_EQ(again.percentage_of_nodes_to_score, configuration.percentage_of_nodes_to_score);
  EXPECT_EQ(again.initial_backoff_seconds, configuration.initial_backoff_seconds);
  EXPECT_EQ(again.max_backoff_seconds, configuration.max_backoff_seconds);
  EXPECT_EQ(again.extenders.size(), configuration.extenders.size());
  ASSERT_EQ(again.profiles.size(), configuration.profiles.size());
  for (size_t i = 0; i < again.profiles.size(); ++i) {
    const Profile& a = again.profiles[i];
    const Profile& b = configuration.profiles[i];
    EXPECT_EQ(a.scheduler_name, b.scheduler_name);
    EXPECT_EQ(a.percentage_of_nodes_to_score, b.percentage_of_nodes_to_score);
    if (written.left_out.empty()) expect_same_plugins(a, b);
    for (const PluginArgs& args : b.plugin_config) {
      ASSERT_NE(a.args_of(args.name), nullptr) << args.name;
      if (configuration.version == kV1) {
        EXPECT_TRUE(equal(a.args_of(args.name)->args, args.args)) << args.name;
      }
    }
  }
  EXPECT_EQ(convert(again).yaml, written.yaml);
  EXPECT_THAT(convert(again).left_out, IsEmpty());
}

constexpr char kProfiles[] = R"(
parallelism: 3
percentageOfNodesToScore: 7
podMaxBackoffSeconds: 77
leaderElection: {leaderElect: false, leaseDuration: 20s}
clientConnection: {qps: 1.5}
extenders:
- {urlPrefix: 'http://a', filterVerb: filter, httpTimeout: 1s,
   managedResources: [{name: example.com/gpu, ignoredByScheduler: true}]}
profiles:
- schedulerName: "yes"
  plugins:
    score: {enabled: [{name: NodeAffinity, weight: -3}, {name: "on", weight: 2}],
            disabled: [{name: ImageLocality, weight: 3}, {}]}
    filter: {disabled: [{name: '*'}]}
  pluginConfig:
  - name: NodeResourcesFit
    args: {scoringStrategy: {type: MostAllocated, resources: [{name: cpu, weight: 2}]}}
  - name: "on"
    args: {text: "a\nb", list: [[1], {}], apiVersion: mine/v1}
  - name: NodeAffinity
- schedulerName: second
)";

TEST(Convert, MeansTheSame) {
  for (const Version version : {kV1Beta2, kV1Beta3, kV1}) {
    SCOPED_TRACE(version_name(version));
    for (const std::string text : {"", "profiles: [{plugins: {score: {disabled: [{name: '*'}]}}}]",
                                   static_cast<const char*>(kProfiles)})
      expect_same(testing::parse(version, text));
    expect_same(defaults(version));
  }
  expect_same(testing::parse(
      "delayCacheUntilActive: true\n"
      "profiles: [{percentageOfNodesToScore: 0, plugins: {preEnqueue: {disabled: [{name: '*'}]}, "
      "multiPoint: {disabled: [{name: '*'}], enabled: [{name: Mine, weight: 3}]}}}]"));
}

TEST(Convert, ExpandsToTheSamePlugins) {
  for (const Version version : {kV1Beta2, kV1Beta3, kV1}) {
    Configuration configuration = defaults(version);
    Configuration again = read(convert(configuration).yaml);
    // v1 does not have these.
    remove_plugins(configuration, {"EBSLimits", "GCEPDLimits", "AzureDiskLimits"});
    EXPECT_EQ(expand(configuration, testing::kube_implements).front().plugins,
              expand(again, testing::kube_implements).front().plugins);
  }
}

TEST(Convert, WritesWhatTheFileHas) {
  const std::string yaml = convert(testing::parse(kV1Beta3, kProfiles)).yaml;
  EXPECT_THAT(yaml, StartsWith("apiVersion: kubescheduler.config.k8s.io/v1\n"
                               "kind: KubeSchedulerConfiguration\n"
                               "parallelism: 3\n"
                               "leaderElection:\n"
                               "  leaderElect: false\n"
                               "  leaseDuration: \"20s\"\n"
                               "clientConnection:\n"
                               "  qps: 1.5\n"
                               "percentageOfNodesToScore: 7\n"
                               "podInitialBackoffSeconds: 1\n"
                               "podMaxBackoffSeconds: 77\n"
                               "profiles:\n"
                               "- schedulerName: \"yes\"\n"
                               "  plugins:\n"
                               "    multiPoint:\n"
                               "      enabled:\n"
                               "      - name: PrioritySort\n"));
  EXPECT_THAT(yaml, HasSubstr("      - name: NodeAffinity\n        weight: -3\n"));
  EXPECT_THAT(yaml, HasSubstr("apiVersion: mine/v1"));
}

TEST(Convert, NamesWhatV1DoesNotHave) {
  EXPECT_THAT(
      convert(testing::parse(kV1Beta2,
                             "healthzBindAddress: ''\nprofiles: [{pluginConfig: [{name: "
                             "CinderLimits}]}]"))
          .left_out,
      ElementsAre(
          "profiles[0].plugins.filter: plugin EBSLimits, which v1 has in NodeVolumeLimits",
          "profiles[0].plugins.filter: plugin GCEPDLimits, which v1 has in NodeVolumeLimits",
          "profiles[0].plugins.filter: plugin AzureDiskLimits, which v1 has in NodeVolumeLimits",
          "profiles[0].pluginConfig: plugin CinderLimits, which v1 has in NodeVolumeLimits",
          "healthzBindAddress"));
  EXPECT_THAT(convert(testing::parse(kV1, kProfiles)).left_out, IsEmpty());
}

TEST(Convert, RefusesANumberThatYamlCannotHave) {
  const std::string json = R"({"apiVersion":"kubescheduler.config.k8s.io/v1",)"
                           R"("kind":"KubeSchedulerConfiguration","profiles":[{"pluginConfig":[)"
                           R"({"name":"Mine","args":{"x":1e400}}]}]})";
  try {
    convert(config::parse(json, "huge.json"));
    FAIL() << "1e400 was written";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), StartsWith("huge.json: profiles[0].pluginConfig[0].args.x: cannot be "
                                         "written as YAML: 1e400 is beyond"));
  }
}

TEST(Convert, ArgumentsAreOfV1) {
  const Configuration again =
      read(convert(testing::parse(kV1Beta2,
                                  "profiles: [{pluginConfig: [{name: NodeResourcesFit, args: "
                                  "{apiVersion: kubescheduler.config.k8s.io/v1beta2, kind: "
                                  "NodeResourcesFitArgs, ignoredResources: [a/b]}}]}]"))
               .yaml);
  EXPECT_EQ(document::to_json(again.profiles[0].args_of("NodeResourcesFit")->args),
            R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"NodeResourcesFitArgs",)"
            R"("ignoredResources":["a/b"]})");
}

TEST(CompleteDefaults, AreTheDefaults) {
  for (const Version version : {kV1Beta2, kV1Beta3, kV1}) {
    SCOPED_TRACE(version_name(version));
    const Configuration expected = defaults(version);
    const Configuration configuration = read(complete_defaults(version));
    EXPECT_EQ(configuration.version, version);
    ASSERT_EQ(configuration.profiles.size(), 1u);
    expect_same_plugins(configuration.profiles[0], expected.profiles[0]);
    EXPECT_EQ(configuration.profiles[0].scheduler_name, "default-scheduler");
    EXPECT_EQ(configuration.profiles[0].plugin_config.size(), version == kV1 ? 8u : 7u);
    EXPECT_EQ(configuration.max_backoff_seconds, expected.max_backoff_seconds);
  }
}

}  // namespace
}  // namespace berth::config
