// Configurations that cannot be read, with the exact text of each error: place, path and reason.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/config/testing.h"

namespace berth::config {
namespace {

using ::testing::ElementsAre;
using testing::expect_refused;
using testing::faults_of;
using testing::parse_document;

TEST(Strictness, KnowsItsVersionAndKind) {
  const auto refused_type = [](const std::string& text) {
    return faults_of([&] {
      const document::Document document = parse_document(text);
      from_value(document, document.roots().front());
    });
  };
  const std::string version = "apiVersion: kubescheduler.config.k8s.io/v1\n";
  const std::string kind = "kind: KubeSchedulerConfiguration\n";
  EXPECT_THAT(refused_type(version + kind), ElementsAre());
  EXPECT_THAT(refused_type(version),
              ElementsAre("test.yaml:1:1: kind: must be \"KubeSchedulerConfiguration\", but is "
                          "missing"));
  EXPECT_THAT(refused_type(kind),
              ElementsAre("test.yaml:1:1: apiVersion: must be \"kubescheduler.config.k8s.io/v1\", "
                          "but is missing"));
  EXPECT_THAT(refused_type(version + "kind: Pod"),
              ElementsAre("test.yaml:2:7: kind: must be \"KubeSchedulerConfiguration\", not "
                          "\"Pod\""));
  EXPECT_THAT(refused_type(version + "kind: [Pod]"),
              ElementsAre("test.yaml:2:7: kind: must be a string, not a list"));
  EXPECT_THAT(refused_type("apiVersion: kubescheduler.config.k8s.io/v2\n" + kind),
              ElementsAre("test.yaml:1:13: apiVersion: must be "
                          "\"kubescheduler.config.k8s.io/v1\", not "
                          "\"kubescheduler.config.k8s.io/v2\"; v1beta2 and v1beta3 are read, too"));
  EXPECT_THAT(refused_type(version + "kind: ConfigMap"),
              ElementsAre("test.yaml:2:7: kind: must be \"KubeSchedulerConfiguration\", not "
                          "\"ConfigMap\": write the text below its data into a file of its own"));
  // For an object of another type no further errors are reported.
  EXPECT_THAT(refused_type("apiVersion: v1\nkind: Pod\nspec: {}"),
              ElementsAre("test.yaml:1:13: apiVersion: must be \"kubescheduler.config.k8s.io/v1\", "
                          "not \"v1\"",
                          "test.yaml:2:7: kind: must be \"KubeSchedulerConfiguration\", not "
                          "\"Pod\""));
  EXPECT_THAT(refused_type("- 1"), ElementsAre("test.yaml:1:1: must be an object of kind "
                                               "\"KubeSchedulerConfiguration\""));
}

TEST(Strictness, RefusesUnknownFieldsEverywhere) {
  expect_refused({
      {"healthzBindAddress: ''",
       {"1:1: strict decoding error: unknown field \"healthzBindAddress\""}},
      {"Profiles: []", {"1:1: strict decoding error: unknown field \"Profiles\""}},
      {"leaderElection: {leaderelect: true}",
       {"1:18: strict decoding error: unknown field \"leaderElection.leaderelect\""}},
      {"clientConnection: {QPS: 1}",
       {"1:20: strict decoding error: unknown field \"clientConnection.QPS\""}},
      {"profiles: [{name: a}]",
       {"1:13: strict decoding error: unknown field \"profiles[0].name\""}},
      {"profiles: [{plugins: {filtr: {}}}]",
       {"1:23: strict decoding error: unknown field \"profiles[0].plugins.filtr\""}},
      {"profiles: [{plugins: {filter: {enable: []}}}]",
       {"1:32: strict decoding error: unknown field \"profiles[0].plugins.filter.enable\""}},
      {"profiles: [{plugins: {multiPoint: {enabled: [{name: A}, {name: B, wait: 1}]}}}]",
       {"1:67: strict decoding error: unknown field "
        "\"profiles[0].plugins.multiPoint.enabled[1].wait\""}},
      {"profiles: [{}, {pluginConfig: [{name: A, arg: {}}]}]",
       {"1:42: strict decoding error: unknown field \"profiles[1].pluginConfig[0].arg\""}},
      {"\"a\\nb\": 1", {"1:1: strict decoding error: unknown field \"a\\nb\""}},
  });
}

TEST(Strictness, RefusesFieldsThatOccurTwice) {
  // The YAML parser refuses duplicates itself; the JSON parser takes the last one.
  const std::string type =
      R"("kind": "KubeSchedulerConfiguration", "apiVersion": "kubescheduler.config.k8s.io/v1",)";
  const auto refused_json = [&](const std::string& members) {
    return faults_of([&] {
      const document::Document document = parse_document("{" + type + members + "}");
      from_value(document, document.roots().front());
    });
  };
  EXPECT_THAT(refused_json(R"("parallelism": 1, "parallelism": 2)"),
              ElementsAre("test.yaml:1:105: strict decoding error: duplicate field "
                          "\"parallelism\""));
  EXPECT_THAT(refused_json(R"("profiles": [{"pluginConfig": [{"name": "A",
"args": {"a": [{"b": 1, "b": 2}]}}]}])"),
              ElementsAre("test.yaml:2:25: strict decoding error: duplicate field "
                          "\"profiles[0].pluginConfig[0].args.a[0].b\""));
}

TEST(Strictness, RefusesWrongTypes) {
  expect_refused({
      {"parallelism: '16'",
       {"1:14: parallelism: must be a whole number of 32 bits, not the string \"16\""}},
      {"parallelism: 1.5", {"1:14: parallelism: must be a whole number of 32 bits, not 1.5"}},
      {"parallelism: 2147483648",
       {"1:14: parallelism: must be a whole number of 32 bits, not 2147483648"}},
      {"podInitialBackoffSeconds: 9223372036854775808",
       {"1:27: podInitialBackoffSeconds: must be a whole number of 64 bits, not "
        "9223372036854775808"}},
      {"podMaxBackoffSeconds: true",
       {"1:23: podMaxBackoffSeconds: must be a whole number of 64 bits, not true"}},
      {"enableProfiling: 'yes'",
       {"1:18: enableProfiling: must be true or false, not the string \"yes\""}},
      {"leaderElection: []", {"1:17: leaderElection: must be an object, not a list"}},
      {"leaderElection: {leaseDuration: 15}",
       {"1:33: leaderElection.leaseDuration: must be a duration such as \"15s\" or \"1m30s\", not "
        "15"}},
      {"leaderElection: {leaseDuration: 15 s, retryPeriod: null}",
       {"1:33: leaderElection.leaseDuration: must be a duration such as \"15s\" or \"1m30s\", not "
        "the string \"15 s\"",
        "1:52: leaderElection.retryPeriod: must be a duration such as \"15s\" or \"1m30s\", not "
        "null"}},
      {"clientConnection: {qps: fast}",
       {"1:25: clientConnection.qps: must be a number, not the string \"fast\""}},
      {"clientConnection: {qps: 1e39}",
       {"1:25: clientConnection.qps: must be a number, not 1e+39"}},
      {"profiles: {}", {"1:11: profiles: must be a list, not an object"}},
      {"profiles: [5]", {"1:12: profiles[0]: must be an object, not 5"}},
      {"profiles: [{schedulerName: 5}]",
       {"1:28: profiles[0].schedulerName: must be a string, not 5"}},
      {"profiles: [{plugins: {score: {enabled: {name: A}}}}]",
       {"1:40: profiles[0].plugins.score.enabled: must be a list, not an object"}},
      {"profiles: [{plugins: {score: {enabled: [A]}}}]",
       {"1:41: profiles[0].plugins.score.enabled[0]: must be an object, not the string \"A\""}},
      {"profiles: [{plugins: {score: {disabled: [{name: A, weight: 3000000000}]}}}]",
       {"1:60: profiles[0].plugins.score.disabled[0].weight: must be a whole number of 32 bits, "
        "not 3000000000"}},
      {"extenders: 3", {"1:12: extenders: must be a list, not 3"}},
  });
}

TEST(Strictness, ChecksTheTypeOfKnownArgs) {
  const std::string head = "profiles: [{pluginConfig: [{name: NodeResourcesFit, args: ";
  expect_refused({
      {head + "{kind: NodeResourcesFitArgs, apiVersion: kubescheduler.config.k8s.io/v1}}]}]", {}},
      {head + "{kind: '', apiVersion: null}}]}]", {}},
      {head + "null}]}]", {}},
      {head + "{kind: NodeAffinityArgs}}]}]",
       {"1:66: profiles[0].pluginConfig[0].args.kind: args of plugin \"NodeResourcesFit\" must be "
        "of kind \"NodeResourcesFitArgs\", not \"NodeAffinityArgs\""}},
      {head + "{apiVersion: kubescheduler.config.k8s.io/v1beta3}}]}]",
       {"1:72: profiles[0].pluginConfig[0].args.apiVersion: args of plugin \"NodeResourcesFit\" "
        "must be of apiVersion \"kubescheduler.config.k8s.io/v1\", not "
        "\"kubescheduler.config.k8s.io/v1beta3\""}},
      {head + "{kind: 1}}]}]",
       {"1:66: profiles[0].pluginConfig[0].args.kind: must be a string, not 1"}},
      {head + "[1]}]}]", {"1:59: profiles[0].pluginConfig[0].args: must be an object, not a list"}},
  });
}

}  // namespace
}  // namespace berth::config
