#include "engine/config/gates/gated_arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/config/testing.h"
#include "engine/config/write/write.h"

namespace berth::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Rules kScoring = [] {
  Rules rules;
  rules.set(Rule::kStorageScore, true);
  return rules;
}();

std::string with_volume_binding(const std::string& args) {
  return testing::with_type("profiles: [{pluginConfig: [{name: VolumeBinding, args: " + args +
                            "}]}]");
}

std::vector<std::string> faults_of(const std::string& text, const Rules& rules) {
  try {
    config::parse(text, "test.yaml", rules);
  } catch (const InvalidConfiguration& error) {
    return testing::texts(error);
  }
  return {};
}

std::string args_of(const Configuration& configuration) {
  const PluginArgs* args = configuration.profiles.front().args_of("VolumeBinding");
  return args == nullptr ? "none" : document::to_json(args->args);
}

std::string read_args(const std::string& args) {
  return args_of(config::parse(with_volume_binding(args), "test.yaml", kScoring));
}

TEST(GatedArguments, AreRefusedWithTheGateOff) {
  for (const char* shape : {"[]", "[{utilization: 0, score: 0}]", "7"})
    EXPECT_THAT(
        faults_of(with_volume_binding(std::string("{shape: ") + shape + "}"), Rules()),
        ElementsAre(HasSubstr("profiles[0].pluginConfig[0].args.shape: unexpected field `shape`, "
                              "remove it or turn on the feature gate StorageCapacityScoring")));
  EXPECT_THAT(faults_of(with_volume_binding("{shape: null}"), Rules()), ElementsAre());
  EXPECT_EQ(args_of(defaults()), "none");
}

TEST(GatedArguments, HaveADefaultWithTheGateOn) {
  const std::string shape =
      R"("shape":[{"utilization":0,"score":10},{"utilization":100,"score":0}])";
  const std::string typed =
      R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"VolumeBindingArgs",)"
      R"("bindTimeoutSeconds":600,)" +
      shape + "}";
  EXPECT_EQ(args_of(defaults(Version::kV1, kScoring)), typed);
  EXPECT_EQ(args_of(config::parse(testing::with_type("profiles: [{}]"), "test.yaml", kScoring)),
            typed);
  EXPECT_EQ(read_args("{bindTimeoutSeconds: 7}"), R"({"bindTimeoutSeconds":7,)" + shape + "}");
  EXPECT_EQ(read_args("{shape: [], bindTimeoutSeconds: 7}"),
            R"({"bindTimeoutSeconds":7,)" + shape + "}");
  EXPECT_EQ(read_args("null"), typed);
  EXPECT_EQ(read_args("{shape: [{utilization: 1, score: 2}]}"),
            R"({"shape":[{"utilization":1,"score":2}]})");
  EXPECT_EQ(read_args("{shape: 7}"), R"({"shape":7})") << "the plugin refuses it";
}

TEST(GatedArguments, AreNotForPluginsThatAreNotEnabled) {
  const Configuration without =
      config::parse(testing::with_type(
                        "profiles: [{plugins: {multiPoint: {disabled: [{name: VolumeBinding}]}}}]"),
                    "test.yaml", kScoring);
  EXPECT_EQ(args_of(without), "none");
}

TEST(GatedArguments, NeedAConfigurationOfV1) {
  const std::string text = testing::with_type(Version::kV1Beta3, "profiles: [{}]");
  EXPECT_THAT(faults_of(text, kScoring),
              ElementsAre(HasSubstr("apiVersion: no kube-scheduler that reads v1beta3 has the "
                                    "feature gate StorageCapacityScoring; convert")));
  EXPECT_THAT(faults_of(text, Rules()), ElementsAre());
  EXPECT_THROW(defaults(Version::kV1Beta2, kScoring), InvalidConfiguration);
}

TEST(GatedArguments, AreWrittenAndReadAgain) {
  const std::string yaml = complete_defaults(Version::kV1, kScoring);
  EXPECT_THAT(yaml, HasSubstr("utilization: 100"));
  EXPECT_EQ(args_of(config::parse(yaml, "test.yaml", kScoring)),
            args_of(defaults(Version::kV1, kScoring)));
  EXPECT_THAT(faults_of(yaml, Rules()), ElementsAre(HasSubstr("unexpected field `shape`")));
}

}  // namespace
}  // namespace berth::config
