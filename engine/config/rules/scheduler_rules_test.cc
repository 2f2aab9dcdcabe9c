#include "engine/config/rules/scheduler_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/config/testing.h"

namespace berth::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kPlainConfig =
    "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";

std::string rules_document(const std::string& fields) {
  return "---\napiVersion: berth/v1\nkind: SchedulerRules\n" + fields;
}

Configuration read_ruled(const std::string& text, const RulesChoice& options = {}) {
  return config::parse(text, "f.yaml", options);
}

std::vector<std::string> faults_of_ruled(const std::string& text, const RulesChoice& options = {}) {
  return testing::faults_of([&] { read_ruled(text, options); });
}

RulesChoice chosen_by_options(std::optional<KubeVersion> version, GateValues gates = {}) {
  RulesChoice choice;
  choice.version = version;
  choice.gates = std::move(gates);
  return choice;
}

TEST(SchedulerRules, SetTheVersionAndGatesOfTheConfiguration) {
  EXPECT_EQ(read_ruled(kPlainConfig).rules, Rules());
  const Configuration configuration =
      read_ruled(kPlainConfig + rules_document("kubeVersion: \"1.36\"\n"
                                               "featureGates: {OpportunisticBatching: false}\n"));
  Rules expected(KubeVersion::k1_36);
  expected.set(Rule::kBatches, false);
  EXPECT_EQ(configuration.rules, expected);
  EXPECT_THAT(configuration.notices, IsEmpty());
  EXPECT_THAT(configuration.without_effect, IsEmpty());
  // In front of the configuration, and beside a PluginIsolation, the same.
  EXPECT_EQ(read_ruled("apiVersion: berth/v1\nkind: PluginIsolation\n" +
                       rules_document("kubeVersion: v1.36.2\n") + "---\n" + kPlainConfig)
                .rules,
            Rules(KubeVersion::k1_36));
  EXPECT_EQ(read_ruled(kPlainConfig + rules_document("kubeVersion: null\n")).rules, Rules());
}

TEST(SchedulerRules, OptionsWinAndContradictionsAreSaid) {
  const std::string text = kPlainConfig + rules_document(
                                              "kubeVersion: \"1.34\"\n"
                                              "featureGates:\n"
                                              "  SchedulerPopFromBackoffQ: false\n"
                                              "  StorageCapacityScoring: true\n");
  const Configuration configuration =
      read_ruled(text, chosen_by_options(KubeVersion::k1_36, {{"SchedulerPopFromBackoffQ", true},
                                                              {"StorageCapacityScoring", true}}));
  Rules expected(KubeVersion::k1_36);
  expected.set(Rule::kStorageScore, true);
  EXPECT_EQ(configuration.rules, expected);
  EXPECT_THAT(configuration.notices,
              ElementsAre("--kube-version 1.36 holds, and not 1.34 of f.yaml:6:14: kubeVersion",
                          "--feature-gates SchedulerPopFromBackoffQ=true holds, and not false of "
                          "f.yaml:8:29: featureGates.SchedulerPopFromBackoffQ"));
  EXPECT_THAT(read_ruled(text, chosen_by_options(KubeVersion::k1_34)).notices, IsEmpty());
}

TEST(SchedulerRules, AnOptionAloneHoldsForTheVersionOfTheFile) {
  const std::string text = kPlainConfig + rules_document("kubeVersion: \"1.36\"\n");
  EXPECT_FALSE(read_ruled(text, chosen_by_options({}, {{"OpportunisticBatching", false}}))
                   .rules.has(Rule::kBatches));
  EXPECT_THROW(read_ruled(kPlainConfig + rules_document("kubeVersion: \"1.34\"\n"),
                          chosen_by_options({}, {{"OpportunisticBatching", false}})),
               UsageError);
  EXPECT_TRUE(
      load_or_defaults("", chosen_by_options(KubeVersion::k1_36)).rules.has(Rule::kBatches));
}

TEST(SchedulerRules, FaultsHaveTheirPlaces) {
  EXPECT_THAT(faults_of_ruled(kPlainConfig + rules_document("kubeVersion: \"1.35\"\nversion: 1\n")),
              ElementsAre("f.yaml:6:14: kubeVersion: Unsupported value: \"1.35\": supported "
                          "values: \"1.34\", \"1.36\"",
                          "f.yaml:7:1: strict decoding error: unknown field \"version\""));
  EXPECT_THAT(faults_of_ruled(kPlainConfig + rules_document("kubeVersion: 1.36\n")),
              ElementsAre(HasSubstr("f.yaml:6:14: kubeVersion: must be a string")));
  EXPECT_THAT(
      faults_of_ruled(kPlainConfig +
                      rules_document("featureGates: {Nope: true, SchedulerPopFromBackoffQ: 1,\n"
                                     "  GangScheduling: true}\n")),
      ElementsAre(HasSubstr("f.yaml:6:22: featureGates.Nope: unrecognized feature gate"),
                  HasSubstr("f.yaml:6:54: featureGates.SchedulerPopFromBackoffQ: must be true or "
                            "false"),
                  HasSubstr("f.yaml:7:19: featureGates.GangScheduling: ")));
  EXPECT_THAT(faults_of_ruled(kPlainConfig + rules_document("") + rules_document("")),
              ElementsAre(HasSubstr("f.yaml:7:1: is a second document of kind SchedulerRules "
                                    "beside that of line 4")));
  EXPECT_THAT(
      faults_of_ruled(std::string(kPlainConfig) + "---\napiVersion: v1\nkind: SchedulerRules\n"),
      ElementsAre(HasSubstr("apiVersion: must be \"berth/v1\", not \"v1\"")));
}

// A rule of the file decides what else of the file is valid.
TEST(SchedulerRules, HoldForTheConfigurationBesideThem) {
  const std::string timeout = std::string(kPlainConfig) +
                              "profiles: [{pluginConfig: [{name: DynamicResources, args: "
                              "{bindingTimeout: 2s}}]}]\n";
  EXPECT_THAT(faults_of_ruled(timeout), IsEmpty());
  EXPECT_THAT(faults_of_ruled(timeout + rules_document("kubeVersion: \"1.34\"\n")),
              ElementsAre(HasSubstr("unknown field \"bindingTimeout\"")));
}

}  // namespace
}  // namespace berth::config
