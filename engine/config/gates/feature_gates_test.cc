#include "engine/config/gates/feature_gates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"

namespace berth::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

GateSettings gates_of(std::string_view text, KubeVersion version = KubeVersion::k1_34) {
  return read_feature_gates(text, version);
}

std::string refusal_of(std::string_view text, KubeVersion version = KubeVersion::k1_34) {
  try {
    gates_of(text, version);
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

TEST(FeatureGatesText, SetsTheGatesThatAreBuilt) {
  EXPECT_EQ(gates_of("").rules, Rules(KubeVersion::k1_34));
  const GateSettings both = gates_of("StorageCapacityScoring=true,SchedulerPopFromBackoffQ=false");
  EXPECT_TRUE(both.rules.has(Rule::kStorageScore));
  EXPECT_FALSE(both.rules.has(Rule::kPopFromBackoff));
  EXPECT_THAT(both.notices, ElementsAre());
  EXPECT_EQ(gates_text(both.rules), "SchedulerPopFromBackoffQ=false,StorageCapacityScoring=true");
  EXPECT_EQ(gates_of(gates_text(both.rules)).rules, both.rules);
  EXPECT_EQ(gates_text(Rules(KubeVersion::k1_34)), "");
  EXPECT_EQ(gates_text(Rules(KubeVersion::k1_36)), "");
}

TEST(FeatureGatesText, IsReadAsByKubeScheduler) {
  for (const std::string value : {"1", "t", "T", "TRUE", "true", "True", " true "})
    EXPECT_TRUE(
        gates_of(", kube:StorageCapacityScoring =" + value + ",").rules.has(Rule::kStorageScore))
        << value;
  EXPECT_FALSE(gates_of("SchedulerPopFromBackoffQ=F").rules.has(Rule::kPopFromBackoff));
  EXPECT_THAT(refusal_of("StorageCapacityScoring"),
              StartsWith("missing bool value for \"StorageCapacityScoring\""));
  EXPECT_EQ(refusal_of("StorageCapacityScoring=yes"),
            "invalid value of \"StorageCapacityScoring\": expected true or false, found \"yes\"");
  EXPECT_EQ(refusal_of("StorageCapacityScoring=true,StorageCapacityScoring=false"),
            "feature gate \"StorageCapacityScoring\" is set to both true and false");
  EXPECT_EQ(refusal_of("StorageCapacityScoring=true,StorageCapacityScoring=1"), "");
}

TEST(FeatureGatesText, RefusesUnknownAndLockedGates) {
  EXPECT_EQ(refusal_of("StorageCapacityScorign=true"),
            "unrecognized feature gate: \"StorageCapacityScorign\" is none of kube-scheduler "
            "v1.34.1; did you mean StorageCapacityScoring?");
  EXPECT_EQ(refusal_of("Nothing=true"),
            "unrecognized feature gate: \"Nothing\" is none of kube-scheduler v1.34.1");
  EXPECT_EQ(refusal_of("SchedulerQueueingHints=false"),
            "cannot set feature gate SchedulerQueueingHints to false, feature is locked to true");
  EXPECT_EQ(refusal_of("WatchFromStorageWithoutResourceVersion=true"),
            "cannot set feature gate WatchFromStorageWithoutResourceVersion to true, feature is "
            "locked to false");
  EXPECT_EQ(refusal_of("SchedulerQueueingHints=true"), "");
}

TEST(FeatureGatesText, NamesGatesThatAreNotBuilt) {
  EXPECT_EQ(refusal_of("PodLevelResources=false"),
            "cannot set feature gate PodLevelResources to false: Berth has built only "
            "PodLevelResources=true, the default; leave the gate out");
  EXPECT_THAT(refusal_of("NominatedNodeNameForExpectation=true"),
              HasSubstr("only NominatedNodeNameForExpectation=false"));
  EXPECT_THAT(refusal_of("DRAExtendedResource=true"), HasSubstr("only DRAExtendedResource=false"));
  for (const char* text : {"AllAlpha=true", "AllBeta=true", "AllBeta=false"})
    EXPECT_THAT(refusal_of(text), HasSubstr("sets many gates at once")) << text;
  EXPECT_EQ(refusal_of("AllAlpha=false"), "");
}

TEST(FeatureGatesText, TellsWhichGatesMakeNoDifference) {
  const auto notices = [](std::string_view text) { return gates_of(text).notices; };
  EXPECT_THAT(notices("PodLevelResources=true,KubeletPSI=true,SchedulerAsyncPreemption=false"),
              ElementsAre());
  EXPECT_THAT(notices("KubeletPSI=false,SchedulerAsyncPreemption=true"),
              ElementsAre(HasSubstr("KubeletPSI=false makes no difference: kube-scheduler does "
                                    "not read it"),
                          HasSubstr("SchedulerAsyncPreemption=true makes no difference: what an "
                                    "attempt writes")));
}

TEST(FeatureGatesText, SaysWhichSettingsDecideAsByDefault) {
  const auto same = [](std::string_view gate, bool value) {
    return is_as_by_default(gate, value, KubeVersion::k1_34);
  };
  EXPECT_TRUE(same("StorageCapacityScoring", false));
  EXPECT_FALSE(same("StorageCapacityScoring", true));
  EXPECT_FALSE(same("SchedulerPopFromBackoffQ", false));
  for (const bool value : {false, true}) {
    EXPECT_TRUE(same("SchedulerAsyncPreemption", value));
    EXPECT_TRUE(same("SchedulerQueueingHints", value));
    EXPECT_TRUE(same("KubeletPSI", value)) << "the scheduler does not read it";
    EXPECT_FALSE(same("SomethingNew", value));
  }
  EXPECT_TRUE(same("DRAExtendedResource", true)) << "no workload has a DeviceClass";
  EXPECT_FALSE(same("DRAConsumableCapacity", true));
  EXPECT_TRUE(same("OpportunisticBatching", false));
  EXPECT_FALSE(same("OpportunisticBatching", true));
}

TEST(FeatureGatesText, KnowsTheGatesOfTheVersion) {
  EXPECT_THAT(refusal_of("OpportunisticBatching=false"), StartsWith("unrecognized feature gate"));
  const GateSettings settings = gates_of("OpportunisticBatching=false", KubeVersion::k1_36);
  EXPECT_FALSE(settings.rules.has(Rule::kBatches));
  EXPECT_EQ(gates_text(settings.rules), "OpportunisticBatching=false");
  EXPECT_THAT(refusal_of("GangScheduling=true", KubeVersion::k1_36),
              HasSubstr("Berth has built only GangScheduling=false"));
  // A gate that became locked.
  EXPECT_EQ(
      refusal_of("DynamicResourceAllocation=false", KubeVersion::k1_36),
      "cannot set feature gate DynamicResourceAllocation to false, feature is locked to true");
}

// What a version has by default is what its gates say.
TEST(FeatureGatesText, TheTableOfRulesAgreesWithTheGates) {
  for (const KubeVersion version : kube_versions())
    for (const RuleInfo& info : all_rules()) {
      if (!info.gate) continue;
      const std::string name(info.name);
      const std::string same = name + (info.in(version) ? "=true" : "=false");
      const std::string refusal = refusal_of(same, version);
      if (refusal.empty())
        EXPECT_EQ(gates_of(same, version).rules, Rules(version)) << same;
      else
        EXPECT_THAT(refusal, StartsWith("unrecognized feature gate")) << same;
    }
}

}  // namespace
}  // namespace berth::config
