#include "engine/config/rules/scheduler_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/config/testing.h"

namespace berth::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kConfig =
    "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";

std::string rules_document(const std::string& fields) {
  return "---\napiVersion: berth/v1\nkind: SchedulerRules\n" + fields;
}

Configuration read(const std::string& text, const RulesChoice& options = {}) {
  return config::parse(text, "f.yaml", options);
}

std::vector<std::string> faults_in(const std::string& text, const RulesChoice& options = {}) {
  return testing::faults_of([&] { read(text, options); });
}

RulesChoice options(std::optional<KubeVersion> version, GateValues gates = {}) {
  RulesChoice choice;
  choice.version = version;
  choice.gates = std::move(gates);
  return choice;
}

TEST(SchedulerRules, SetTheVersionAndGatesOfTheConfiguration) {
  EXPECT_EQ(read(kConfig).rules, Rules());
  const Configuration configuration =
      read(kConfig + rules_document("kubeVersion: \"1.36\"\n"
                                    "featureGates: {OpportunisticBatching: false}\n"));
  Rules expected(KubeVersion::k1_36);
  expected.set(Rule::kBatches, false);
  EXPECT_EQ(configuration.rules, expected);
  EXPECT_THAT(configuration.notices, IsEmpty());
  EXPECT_THAT(configuration.without_effect, IsEmpty());
  // In front of the configuration, and beside a PluginIsolation, the same.
  EXPECT_EQ(read("apiVersion: berth/v1\nkind: PluginIsolation\n" +
                 rules_document("kubeVersion: v1.36.2\n") + "---\n" + kConfig)
                .rules,
            Rules(KubeVersion::k1_36));
  EXPECT_EQ(read(kConfig + rules_document("kubeVersion: null\n")).rules, Rules());
}

TEST(SchedulerRules, OptionsWinAndContradictionsAreSaid) {
  const std::string text = kConfig + rules_document(
                                         "kubeVersion: \"1.34\"\n"
                                         "featureGates:\n"
                                         "  SchedulerPopFromBackoffQ: false\n"
                                         "  StorageCapacityScoring: true\n");
  const Configuration configuration =
      read(text, options(KubeVersion::k1_36,
                         {{"SchedulerPopFromBackoffQ", true}, {"StorageCapacityScoring", true}}));
  Rules expected(KubeVersion::k1_36);
  expected.set(Rule::kStorageScore, true);
  EXPECT_EQ(configuration.rules, expected);
  EXPECT_THAT(configuration.notices,
              ElementsAre("--kube-version 1.36 holds, and not 1.34 of f.yaml:6:14: kubeVersion",
                          "--feature-gates SchedulerPopFromBackoffQ=true holds, and not false of "
                          "f.yaml:8:29: featureGates.SchedulerPopFromBackoffQ"));
  EXPECT_THAT(read(text, options(KubeVersion::k1_34)).notices, IsEmpty());
}

TEST(SchedulerRules, AnOptionAloneHoldsForTheVersionOfTheFile) {
  const std::string text = kConfig + rules_document("kubeVersion: \"1.36\"\n");
  EXPECT_FALSE(
      read(text, options({}, {{"OpportunisticBatching", false}})).rules.has(Rule::kBatches));
  EXPECT_THROW(read(kConfig, options({}, {{"OpportunisticBatching", false}})), Error);
  EXPECT_TRUE(load_or_defaults("", options(KubeVersion::k1_36)).rules.has(Rule::kBatches));
}

TEST(SchedulerRules, FaultsHaveTheirPlaces) {
  EXPECT_THAT(faults_in(kConfig + rules_document("kubeVersion: \"1.35\"\nversion: 1\n")),
              ElementsAre("f.yaml:6:14: kubeVersion: Unsupported value: \"1.35\": supported "
                          "values: \"1.34\", \"1.36\"",
                          "f.yaml:7:1: version: strict decoding error: unknown field \"version\""));
  EXPECT_THAT(faults_in(kConfig + rules_document("kubeVersion: 1.36\n")),
              ElementsAre(HasSubstr("f.yaml:6:14: kubeVersion: must be a string")));
  EXPECT_THAT(
      faults_in(kConfig + rules_document("featureGates: {Nope: true, SchedulerPopFromBackoffQ: 1,\n"
                                         "  OpportunisticBatching: true}\n")),
      ElementsAre(HasSubstr("f.yaml:6:22: featureGates.Nope: unrecognized feature gate"),
                  HasSubstr("f.yaml:6:54: featureGates.SchedulerPopFromBackoffQ: must be true or "
                            "false"),
                  HasSubstr("f.yaml:7:26: featureGates.OpportunisticBatching: ")));
  EXPECT_THAT(faults_in(kConfig + rules_document("") + rules_document("")),
              ElementsAre(HasSubstr("f.yaml:7:1: is a second document of kind SchedulerRules "
                                    "beside that of line 4")));
  EXPECT_THAT(faults_in(std::string(kConfig) + "---\napiVersion: v1\nkind: SchedulerRules\n"),
              ElementsAre(HasSubstr("apiVersion: must be \"berth/v1\", not \"v1\"")));
}

// A rule of the file decides what else of the file is valid.
TEST(SchedulerRules, HoldForTheConfigurationBesideThem) {
  const std::string timeout = std::string(kConfig) +
                              "profiles: [{pluginConfig: [{name: DynamicResources, args: "
                              "{bindingTimeout: 2s}}]}]\n";
  EXPECT_THAT(faults_in(timeout), ElementsAre(HasSubstr("unknown field \"bindingTimeout\"")));
  EXPECT_THAT(faults_in(timeout + rules_document("kubeVersion: \"1.36\"\n")), IsEmpty());
}

}  // namespace
}  // namespace berth::config
