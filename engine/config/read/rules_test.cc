// Configurations that kube-scheduler's rules refuse, with the exact text of each error: place, path
// and reason.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/config/read/faults.h"
#include "engine/config/testing.h"

namespace berth::config {
namespace {

using ::testing::ElementsAre;
using testing::expect_refused;
using testing::refused;

TEST(Rules, OfNumbers) {
  expect_refused({
      {"parallelism: 0",
       {"1:14: parallelism: Invalid value: 0: should be an integer value greater than zero"}},
      {"percentageOfNodesToScore: -1",
       {"1:27: percentageOfNodesToScore: Invalid value: -1: not in valid range [0-100]"}},
      {"profiles: [{percentageOfNodesToScore: 101}]",
       {"1:39: profiles[0].percentageOfNodesToScore: Invalid value: 101: not in valid range "
        "[0-100]"}},
      {"podInitialBackoffSeconds: 0",
       {"1:27: podInitialBackoffSeconds: Invalid value: 0: must be greater than 0"}},
      {"podInitialBackoffSeconds: 11",
       {"1:1: podMaxBackoffSeconds: Invalid value: 10: must be greater than or equal to "
        "podInitialBackoffSeconds"}},
      {"podMaxBackoffSeconds: 0",
       {"1:23: podMaxBackoffSeconds: Invalid value: 0: must be greater than or equal to "
        "podInitialBackoffSeconds"}},
      {"clientConnection: {burst: -1}",
       {"1:27: clientConnection.burst: Invalid value: -1: must be non-negative"}},
  });
}

TEST(Rules, OfLeaderElection) {
  expect_refused({
      {"leaderElection: {leaderElect: false, leaseDuration: -1s, resourceLock: endpoints}", {}},
      {"leaderElection: {leaseDuration: 0s, renewDeadline: 0s, retryPeriod: 0s}", {}},
      {"leaderElection: {leaseDuration: 10s}",
       {"1:33: leaderElection.leaseDuration: Invalid value: must be greater than renewDeadline"}},
      {"leaderElection: {renewDeadline: -1s}",
       {"1:33: leaderElection.renewDeadline: Invalid value: must be greater than zero"}},
      {"leaderElection: {retryPeriod: -1s, resourceLock: endpoints}",
       {"1:31: leaderElection.retryPeriod: Invalid value: must be greater than zero",
        "1:50: leaderElection.resourceLock: Invalid value: \"endpoints\": resourceLock value must "
        "be \"leases\""}},
  });
}

TEST(Rules, OfSchedulerNames) {
  expect_refused({
      {"profiles: [{schedulerName: ''}]", {"1:28: profiles[0].schedulerName: Required value"}},
      {"profiles: [{schedulerName: a}, {}]", {"1:32: profiles[1].schedulerName: Required value"}},
      {"profiles: [{}, {}]",
       {"1:12: profiles[0].schedulerName: Required value",
        "1:16: profiles[1].schedulerName: Required value"}},
      {"profiles: [{schedulerName: a}, {schedulerName: b}, {schedulerName: a}]",
       {"1:68: profiles[2].schedulerName: Duplicate value: \"a\", the name of profiles[0]"}},
  });
}

TEST(Rules, OfPlugins) {
  const std::string removed =
      "was invalid in version \"kubescheduler.config.k8s.io/v1\" (KubeSchedulerConfiguration is "
      "version \"kubescheduler.config.k8s.io/v1\"): use NodeVolumeLimits";
  for (const std::string name : {"AzureDiskLimits", "CinderLimits", "EBSLimits", "GCEPDLimits"}) {
    expect_refused({
        {"profiles: [{plugins: {filter: {enabled: [{name: A}, {name: " + name + "}]}}}]",
         {"1:53: profiles[0].plugins.filter.enabled[1]: Invalid value: \"" + name +
          "\": " + removed}},
        {"profiles: [{plugins: {multiPoint: {enabled: [{name: " + name + "}]}}}]",
         {"1:46: profiles[0].plugins.multiPoint.enabled[0]: Invalid value: \"" + name +
          "\": " + removed}},
        {"profiles: [{pluginConfig: [{name: " + name + "}]}]",
         {"1:28: profiles[0].pluginConfig[0]: Invalid value: \"" + name + "\": " + removed}},
        {"profiles: [{plugins: {filter: {disabled: [{name: " + name + "}]}}}]", {}},
    });
  }
  expect_refused({
      {"profiles: [{pluginConfig: [{name: A}, {name: B}, {name: A, args: {}}]}]",
       {"1:50: profiles[0].pluginConfig[2]: Duplicate value: \"A\""}},
      {"profiles: [{plugins: {score: {enabled: [{weight: 1}, null]}}}]",
       {"1:41: profiles[0].plugins.score.enabled[0].name: Required value",
        "1:54: profiles[0].plugins.score.enabled[1].name: Required value"}},
  });
}

TEST(Rules, OfTheCommonQueueSort) {
  const std::string own =
      "{plugins: {queueSort: {enabled: [{name: Q}], disabled: [{name: '*'}]}}, schedulerName: ";
  expect_refused({
      {"profiles: [" + own + "a}, " + own + "b}]", {}},
      {"profiles: [{plugins: {queueSort: {enabled: [{name: A}, {name: B}]}}}]",
       {"1:44: profiles[0].plugins.queueSort.enabled: Invalid value: 2: only one queue sort plugin "
        "can be enabled"}},
      {"profiles:\n- " + own + "a}\n- {schedulerName: b}",
       {"3:3: profiles[1].plugins.queueSort: Invalid value: must be the same for all profiles"}},
      {"profiles:\n- {schedulerName: a}\n- " + own + "b}",
       {"3:25: profiles[1].plugins.queueSort: Invalid value: must be the same for all profiles"}},
      {"profiles:\n- " + own + "a, pluginConfig: [{name: Q, args: {x: 1, y: [2]}}]}\n- " + own +
           "b, pluginConfig: [{name: Q, args: {y: [2], x: 1}}]}",
       {}},
      {"profiles:\n- " + own + "a, pluginConfig: [{name: Q, args: {x: 1}}]}\n- " + own +
           "b, pluginConfig: [{name: P}, {name: Q, args: {x: 2}}]}",
       {"3:135: profiles[1].pluginConfig[1].args: Invalid value: queueSort must be the same for "
        "all profiles"}},
  });
}

TEST(Rules, Extenders) {
  const std::string url = "urlPrefix: 'http://localhost'";
  const std::string gpu = "managedResources: [{name: example.com/gpu, ignoredByScheduler: true}]";
  expect_refused({
      {"extenders: []", {}},
      {"extenders: [{" + url + ", filterVerb: filter, httpTimeout: 400ms, " + gpu + "}]", {}},
      {"extenders: [{" + url + ", prioritizeVerb: p}]",
       {"1:13: extenders[0].weight: Invalid value: 0: must have a positive weight applied to it"}},
      {"extenders: [{urlPrefix: localhost}]",
       {"1:25: extenders[0].urlPrefix: Invalid value: \"localhost\": must be a URL that begins "
        "with "
        "http:// or https://"}},
      {"extenders: [{" + url + ", bindVerb: b}, {" + url + ", bindVerb: b}]",
       {"1:12: extenders: Invalid value: found 2 extenders implementing bind: only one extender "
        "can "
        "implement bind"}},
      {"extenders: [{" + url + ", managedResources: [{name: cpu}]}]",
       {"1:71: extenders[0].managedResources[0].name: Invalid value: \"cpu\": is an invalid "
        "extended "
        "resource name"}},
      {"extenders: [{" + url + ", " + gpu + "}, {" + url + ", " + gpu + "}]",
       {"1:175: extenders[1].managedResources[0].name: Invalid value: \"example.com/gpu\": "
        "duplicate "
        "extender managed resource name"}},
      {"extenders: [{" + url + ", tlsConfig: {caData: '%'}}]",
       {"1:65: extenders[0].tlsConfig.caData: must be base64"}},
  });
}

TEST(Extenders, AreReadInFull) {
  const Configuration config = config::parse(
      testing::with_type(
          "extenders: [{urlPrefix: 'https://a/b', filterVerb: f, prioritizeVerb: p, weight: 7, "
          "bindVerb: b, preemptVerb: q, enableHTTPS: true, nodeCacheCapable: true, ignorable: "
          "true, "
          "httpTimeout: 1m, tlsConfig: {insecure: true, serverName: s, certData: YWI=, keyData: "
          "YQ==, "
          "caFile: ca}}, {urlPrefix: 'http://c'}]"),
      "config");
  ASSERT_EQ(config.extenders.size(), 2u);
  const Extender& one = config.extenders[0];
  EXPECT_EQ(one.filter_verb + one.prioritize_verb + one.bind_verb + one.preempt_verb, "fpbq");
  EXPECT_EQ(one.weight, 7);
  EXPECT_EQ(one.timeout, 60'000'000'000);
  EXPECT_TRUE(one.enable_https && one.node_cache_capable && one.ignorable && one.tls->insecure);
  EXPECT_EQ(one.tls->server_name + one.tls->cert_data + one.tls->key_data + one.tls->ca_file,
            "sabaca");
  EXPECT_EQ(config.extenders[1].timeout, Extender::kDefaultTimeout);
  EXPECT_FALSE(config.extenders[1].tls);
}

TEST(Faults, AreAllReportedInTheOrderOfTheFile) {
  EXPECT_THAT(refused("profiles:\n"
                      "- schedulerName: [a]\n"
                      "  plugin: {}\n"
                      "parallelism: many\n"),
              ElementsAre("2:18: profiles[0].schedulerName: must be a string, not a list",
                          "3:3: strict decoding error: unknown field \"profiles[0].plugin\"",
                          "4:14: parallelism: must be a whole number of 32 bits, not the string "
                          "\"many\""));
  EXPECT_THAT(refused("profiles:\n"
                      "- percentageOfNodesToScore: 101\n"
                      "parallelism: 0\n"
                      "percentageOfNodesToScore: 101\n"),
              ElementsAre("2:29: profiles[0].percentageOfNodesToScore: Invalid value: 101: not in "
                          "valid range [0-100]",
                          "3:14: parallelism: Invalid value: 0: should be an integer value greater "
                          "than zero",
                          "4:27: percentageOfNodesToScore: Invalid value: 101: not in valid range "
                          "[0-100]"));
}

TEST(Faults, AreCountedBeyondTheFirstHundred) {
  std::string text = "profiles: [{plugins: {score: {enabled: [1";
  for (int i = 0; i < 499; ++i) text += ", 1";
  const std::vector<std::string> faults = refused(text + "]}}}]");
  ASSERT_EQ(faults.size(), Faults::kKept + 1);
  EXPECT_EQ(faults.back(), "and 400 more faults");
}

}  // namespace
}  // namespace berth::config
