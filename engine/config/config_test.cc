#include "engine/config/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "engine/config/testing.h"

namespace berth::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::names;
using testing::parse;

TEST(Defaults, AreThoseOfKubeScheduler) {
  const Configuration configuration = defaults(Version::kV1, Rules(KubeVersion::k1_34));
  EXPECT_EQ(configuration.percentage_of_nodes_to_score, 0);
  EXPECT_EQ(configuration.initial_backoff_seconds, 1);
  EXPECT_EQ(configuration.max_backoff_seconds, 10);
  EXPECT_THAT(configuration.without_effect, IsEmpty());
  ASSERT_EQ(configuration.profiles.size(), 1u);
  const Profile& profile = configuration.profiles.front();
  EXPECT_EQ(profile.scheduler_name, "default-scheduler");
  EXPECT_EQ(profile.percentage_of_nodes_to_score, std::nullopt);
  EXPECT_EQ(configuration.percentage_for(profile), 0);
  EXPECT_THAT(profile.plugin_config, IsEmpty());
  EXPECT_THAT(names(profile.multi_point.enabled),
              ElementsAre("SchedulingGates", "PrioritySort", "NodeUnschedulable", "NodeName",
                          "TaintToleration=3", "NodeAffinity=2", "NodePorts", "NodeResourcesFit=1",
                          "VolumeRestrictions", "NodeVolumeLimits", "VolumeBinding", "VolumeZone",
                          "PodTopologySpread=2", "InterPodAffinity=2", "DynamicResources",
                          "DefaultPreemption", "NodeResourcesBalancedAllocation=1",
                          "ImageLocality=1", "DefaultBinder"));
  for (const PluginRef& plugin : profile.multi_point.enabled) EXPECT_TRUE(plugin.from_default);
  for (const PluginSet& set : profile.points) {
    EXPECT_THAT(set.enabled, IsEmpty());
    EXPECT_THAT(set.disabled, IsEmpty());
  }
}

TEST(Configuration, RulesAddDefaultPlugins) {
  const auto last = [](const Rules& rules) {
    return defaults(Version::kV1, rules).profiles.front().multi_point.enabled.back().name;
  };
  Rules rules(KubeVersion::k1_36);
  EXPECT_EQ(last(rules), "NodeDeclaredFeatures");
  rules.set(Rule::kDeclaredFeatures, false);
  EXPECT_EQ(last(rules), "DefaultBinder");
}

TEST(Configuration, EmptyOrNullMeansTheDefaults) {
  const auto expected = names(defaults().profiles.front().multi_point.enabled);
  for (const std::string text :
       {"", "profiles: []", "profiles:", "profiles: [null]", "profiles: [{plugins: null}]",
        "profiles: [{plugins: {score: null, multiPoint: {enabled: null, disabled: []}}}]",
        "profiles: [{schedulerName: null, pluginConfig: null, percentageOfNodesToScore: null}]",
        "extenders: []\npercentageOfNodesToScore: null\nleaderElection: null\nparallelism: null",
        "extenders:\npodInitialBackoffSeconds:\nclientConnection: {}"}) {
    const Configuration configuration = parse(text);
    ASSERT_EQ(configuration.profiles.size(), 1u) << text;
    EXPECT_EQ(configuration.profiles.front().scheduler_name, "default-scheduler") << text;
    EXPECT_EQ(names(configuration.profiles.front().multi_point.enabled), expected) << text;
    EXPECT_EQ(configuration.percentage_of_nodes_to_score, 0) << text;
    EXPECT_EQ(configuration.initial_backoff_seconds, 1) << text;
    EXPECT_THAT(configuration.without_effect, IsEmpty()) << text;
  }
}

TEST(Configuration, ReadsEverything) {
  const Configuration configuration = parse(R"(
percentageOfNodesToScore: 40
podInitialBackoffSeconds: 2
podMaxBackoffSeconds: 20
profiles:
- schedulerName: first
  percentageOfNodesToScore: 100
  plugins:
    score:
      enabled:
      - name: TaintToleration
        weight: 7
      - name: Mine
      disabled:
      - name: "*"
    multiPoint:
      enabled:
      - name: Mine
  pluginConfig:
  - name: NodeResourcesFit
    args:
      scoringStrategy: {type: MostAllocated}
- schedulerName: second
  pluginConfig:
  - name: NodeAffinity
)");
  EXPECT_EQ(configuration.percentage_of_nodes_to_score, 40);
  EXPECT_EQ(configuration.initial_backoff_seconds, 2);
  EXPECT_EQ(configuration.max_backoff_seconds, 20);
  ASSERT_EQ(configuration.profiles.size(), 2u);

  const Profile& first = configuration.profiles[0];
  EXPECT_EQ(first.scheduler_name, "first");
  EXPECT_EQ(configuration.percentage_for(first), 100);
  EXPECT_EQ(first.place.to_string(), "test.yaml:6:3: profiles[0]");
  const PluginSet& score = first.points[Point::kScore];
  EXPECT_THAT(names(score.enabled), ElementsAre("TaintToleration=7", "Mine"));
  EXPECT_THAT(names(score.disabled), ElementsAre("*"));
  EXPECT_EQ(score.enabled[1].place.to_string(),
            "test.yaml:13:9: profiles[0].plugins.score.enabled[1]");
  EXPECT_FALSE(score.enabled[1].from_default);
  EXPECT_EQ(first.multi_point.enabled.back().name, "Mine");
  EXPECT_EQ(first.multi_point.enabled.size(), 21u);

  const PluginArgs* args = first.args_of("NodeResourcesFit");
  ASSERT_NE(args, nullptr);
  EXPECT_EQ(document::to_json(args->args), R"({"scoringStrategy":{"type":"MostAllocated"}})");
  EXPECT_EQ(args->place.to_string(), "test.yaml:22:7: profiles[0].pluginConfig[0].args");
  EXPECT_EQ(first.args_of("NodeAffinity"), nullptr);

  const Profile& second = configuration.profiles[1];
  EXPECT_EQ(configuration.percentage_for(second), 40);
  ASSERT_NE(second.args_of("NodeAffinity"), nullptr);
  EXPECT_FALSE(second.args_of("NodeAffinity")->args.present());
  EXPECT_EQ(second.args_of("NodeAffinity")->place.field, "profiles[1].pluginConfig[0].args");
}

TEST(Configuration, KeepsTheDocumentOfItsArgs) {
  Configuration copy;
  {
    const Configuration configuration =
        parse("profiles: [{pluginConfig: [{name: NodeAffinity, args: {addedAffinity: {}}}]}]");
    copy = configuration;
  }
  EXPECT_EQ(document::to_json(copy.profiles[0].args_of("NodeAffinity")->args),
            R"({"addedAffinity":{}})");
}

TEST(Configuration, AZeroPercentageOfAProfileIsAdaptive) {
  const Configuration configuration = parse(
      "percentageOfNodesToScore: 30\n"
      "profiles: [{schedulerName: a, percentageOfNodesToScore: 0}, {schedulerName: b}]");
  EXPECT_EQ(configuration.percentage_for(configuration.profiles[0]), 0);
  EXPECT_EQ(configuration.percentage_for(configuration.profiles[1]), 30);
}

TEST(Configuration, NamesWhatHasNoEffect) {
  EXPECT_THAT(parse(R"(
parallelism: 8
leaderElection:
  leaderElect: true
  leaseDuration: 15s
  renewDeadline: 10s
  retryPeriod: 2s
  resourceLock: leases
  resourceName: kube-scheduler
  resourceNamespace: kube-system
clientConnection:
  kubeconfig: /etc/kubernetes/scheduler.conf
  acceptContentTypes: ""
  contentType: application/json
  qps: 50.5
  burst: 100
enableProfiling: false
enableContentionProfiling: false
podInitialBackoffSeconds: 1
podMaxBackoffSeconds: 1
delayCacheUntilActive: true
profiles:
- plugins:
    score: {disabled: [{weight: 3}]}
    multiPoint: {disabled: [{name: NodeAffinity}]}
  pluginConfig:
  - name: NodeAffinity
  - name: Elsewhere
    args: {anything: [1, 2, 3]}
  - name: NodeResourcesFit
)")
                  .without_effect,
              ElementsAre("parallelism", "leaderElection.leaderElect",
                          "leaderElection.leaseDuration", "leaderElection.renewDeadline",
                          "leaderElection.retryPeriod", "leaderElection.resourceLock",
                          "leaderElection.resourceName", "leaderElection.resourceNamespace",
                          "clientConnection.kubeconfig", "clientConnection.acceptContentTypes",
                          "clientConnection.contentType", "clientConnection.qps",
                          "clientConnection.burst", "enableProfiling", "enableContentionProfiling",
                          "delayCacheUntilActive", "profiles[0].plugins.score.disabled[0]",
                          R"(profiles[0].pluginConfig[0] (plugin "NodeAffinity" is not enabled))",
                          R"(profiles[0].pluginConfig[1] (plugin "Elsewhere" is not enabled))"));
}

TEST(ServiceSettings, HaveTheDefaultsOfKubeScheduler) {
  ServiceSettings expected;
  EXPECT_EQ(expected.leader_election.lease_duration, std::chrono::seconds(15));
  EXPECT_EQ(expected.leader_election.renew_deadline, std::chrono::seconds(10));
  EXPECT_EQ(expected.leader_election.retry_period, std::chrono::seconds(2));
  EXPECT_EQ(expected.client_connection.qps, 50);
  EXPECT_EQ(expected.client_connection.burst, 100);
  for (const std::string text :
       {"", "leaderElection:\nclientConnection:",
        "leaderElection: {leaderElect: null, leaseDuration: 0s, renewDeadline: 0s, retryPeriod: "
        "0s, "
        "resourceLock: '', resourceName: '', resourceNamespace: ''}",
        "clientConnection: {kubeconfig: '', contentType: '', qps: 0, burst: 0}"})
    EXPECT_EQ(parse(text).service, expected) << text;
}

TEST(ServiceSettings, AreReadInFull) {
  const ServiceSettings read = parse(R"(
leaderElection: {leaderElect: false, leaseDuration: 1m, renewDeadline: 30s, retryPeriod: 1.5s,
  resourceLock: leases, resourceName: a, resourceNamespace: b}
clientConnection: {kubeconfig: /k, acceptContentTypes: c, contentType: d, qps: -1, burst: 7}
enableProfiling: false
)")
                                   .service;
  const ServiceSettings expected{
      .leader_election = {.leader_elect = false,
                          .lease_duration = std::chrono::seconds(60),
                          .renew_deadline = std::chrono::seconds(30),
                          .retry_period = std::chrono::milliseconds(1500),
                          .resource_lock = "leases",
                          .resource_name = "a",
                          .resource_namespace = "b"},
      .client_connection = {.kubeconfig = "/k",
                            .accept_content_types = "c",
                            .content_type = "d",
                            .qps = -1,
                            .burst = 7},
      .profiling = false,
      .contention_profiling = false};
  EXPECT_EQ(read, expected);
  EXPECT_TRUE(parse("enableProfiling: false\nenableContentionProfiling: true")
                  .service.contention_profiling);
}

TEST(ServiceSettings, HaveEffectForASchedulerThatHeedsThem) {
  Configuration configuration =
      parse("parallelism: 2\nleaderElection: {leaderElect: false}\nclientConnection: {qps: 7}");
  EXPECT_THAT(configuration.without_effect,
              ElementsAre("parallelism", "leaderElection.leaderElect", "clientConnection.qps"));
  configuration.heed_service_settings();
  EXPECT_THAT(configuration.without_effect, ElementsAre("parallelism"));
}

TEST(Configuration, ArgsOfStrangersAreFree) {
  for (const std::string args : {"{apiVersion: example.com/v7, kind: What}", "[1, 2]", "7", "text",
                                 "null", "{apiVersion: 5}"}) {
    const Configuration configuration =
        parse("profiles: [{pluginConfig: [{name: Mine, args: " + args + "}]}]");
    EXPECT_NE(configuration.profiles.front().args_of("Mine"), nullptr) << args;
  }
}

class File : public ::testing::Test {
 protected:
  File() : path_(std::filesystem::path(::testing::TempDir()) / ("config_test_" + name())) {}
  ~File() override { std::filesystem::remove(path_); }

  static std::string name() {
    return ::testing::UnitTest::GetInstance()->current_test_info()->name();
  }

  std::string holding(const std::string& text) {
    std::ofstream(path_) << text;
    return path_.string();
  }

  // The error of load() for the text, without the folder.
  std::string message(const std::string& text) {
    try {
      load(holding(text));
    } catch (const Error& error) {
      std::string message = error.what();
      const std::string path = path_.string();
      for (size_t at; (at = message.find(path)) != std::string::npos;) {
        message.replace(at, path.size(), "FILE");
      }
      return message;
    }
    return "";
  }

  std::filesystem::path path_;
};

TEST_F(File, IsYamlOrJson) {
  const Configuration yaml = load(holding(testing::with_type("percentageOfNodesToScore: 7")));
  EXPECT_EQ(yaml.percentage_of_nodes_to_score, 7);
  const Configuration json = load(holding(R"({"kind": "KubeSchedulerConfiguration",
    "apiVersion": "kubescheduler.config.k8s.io/v1", "percentageOfNodesToScore": 8})"));
  EXPECT_EQ(json.percentage_of_nodes_to_score, 8);
}

TEST_F(File, HoldsOneDocument) {
  EXPECT_EQ(message("# nothing\n"),
            "FILE: holds 0 documents; a configuration is one, of kind KubeSchedulerConfiguration");
  EXPECT_EQ(message(testing::with_type("") + "---\n" + testing::with_type("")),
            "FILE: holds 2 documents; a configuration is one, of kind KubeSchedulerConfiguration, "
            "and here they are several, at lines 2, 6");
  EXPECT_EQ(message("kind: Pod\n---\nkind: Pod\n"),
            "FILE: holds 2 documents; a configuration is one, of kind KubeSchedulerConfiguration");
}

TEST_F(File, MayHoldDocumentsOfOtherKinds) {
  const std::string text = "kind: ServiceAccount\n---\n" +
                           testing::with_type("percentageOfNodesToScore: 7") + "---\n- 1\n---\n" +
                           testing::with_type("") + "---\n";
  EXPECT_THAT(message(text), HasSubstr("at lines 3, 10"));
  const Configuration configuration =
      load(holding("kind: ServiceAccount\n---\n" +
                   testing::with_type("percentageOfNodesToScore: 7") + "---\n- 1\n"));
  EXPECT_EQ(configuration.percentage_of_nodes_to_score, 7);
  EXPECT_THAT(configuration.without_effect,
              ElementsAre("document 1 (ServiceAccount)", "document 3"));
}

TEST_F(File, IsRefusedIfMalformed) {
  EXPECT_THAT(message("profiles: [\n"), HasSubstr("FILE:"));
  // A malformed document is an error even next to a valid one.
  EXPECT_THAT(message(testing::with_type("") + "---\nprofiles: [\n"), HasSubstr("FILE:"));
}

TEST_F(File, MayHoldAConfigurationInAConfigMap) {
  const std::string head = "kind: ServiceAccount\n---\nkind: ConfigMap\ndata:\n";
  const std::string text =
      "    kind: KubeSchedulerConfiguration\n"
      "    apiVersion: kubescheduler.config.k8s.io/v1\n";
  const std::string one = "  a.yaml: |\n" + text + "    percentageOfNodesToScore: 7\n";
  EXPECT_EQ(load(holding(head + "  note: text\n" + one)).percentage_of_nodes_to_score, 7);
  EXPECT_EQ(load(holding("kind: List\nitems:\n- {kind: ConfigMap, data: {a: '{kind: "
                         "KubeSchedulerConfiguration, apiVersion: kubescheduler.config.k8s.io/v1, "
                         "percentageOfNodesToScore: 7}'}}"))
                .percentage_of_nodes_to_score,
            7);
  EXPECT_THAT(message(head + "  a.yaml: |\n" + text + "    nope: 7\n"),
              HasSubstr("[data.a.yaml]:3:1: strict decoding error: unknown field \"nope\""));
  EXPECT_THAT(message(head + one + "  b.yaml: |\n" + text),
              HasSubstr("several values of its ConfigMaps hold a configuration: a.yaml, b.yaml"));
  EXPECT_THAT(message(head + "  a.yaml: text\n"), HasSubstr("holds 2 documents"));
}

TEST_F(File, ThatIsNotThereIsAnError) { EXPECT_THROW(load(path_.string()), Error); }

TEST(Check, FindsAllFaultsAtOnce) {
  const document::Document document = testing::parse_document(
      testing::with_type("profiles: [{schedulerName: 5, percentageOfNodesToScore: 101}]\n"
                         "parallelism: 0\n"
                         "parallel: 1"));
  const Checked checked = check(document, document.roots().front());
  ASSERT_TRUE(checked.configuration);
  std::vector<std::string> faults;
  for (const Error& fault : checked.faults) faults.emplace_back(fault.what());
  // The name is no text, so it is missing to the rules; that is not told a second time.
  EXPECT_THAT(faults, ElementsAre(HasSubstr("profiles[0].schedulerName: must be a string, not 5"),
                                  HasSubstr("101: not in valid range [0-100]"),
                                  HasSubstr("parallelism: Invalid value: 0"),
                                  HasSubstr("unknown field \"parallel\"")));
}

TEST(Check, OfAnotherKindGivesNoConfiguration) {
  const document::Document document = testing::parse_document("kind: Pod");
  const Checked checked = check(document, document.roots().front());
  EXPECT_FALSE(checked.configuration);
  EXPECT_EQ(checked.faults.size(), 2u);
}

TEST_F(File, IsNamedInEveryFault) {
  EXPECT_EQ(message("apiVersion: kubescheduler.config.k8s.io/v1\n"
                    "kind: KubeSchedulerConfiguration\n"
                    "profiles:\n"
                    "- plugins:\n"
                    "    filtr: {}\n"),
            "FILE:5:5: strict decoding error: unknown field \"profiles[0].plugins.filtr\"");
  EXPECT_EQ(
      message(testing::with_type("percentageOfNodesToScore: 101\n"
                                 "podInitialBackoffSeconds: 0")),
      "the configuration has several faults:\n"
      "  FILE:1:27: percentageOfNodesToScore: Invalid value: 101: not in valid range [0-100]\n"
      "  FILE:2:27: podInitialBackoffSeconds: Invalid value: 0: must be greater than 0");
}

}  // namespace
}  // namespace berth::config
