#include "engine/config/gates/feature_gates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"

namespace berth::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr FeatureGates kDefaults;

std::string refusal_of(std::string_view text) {
  try {
    read_feature_gates(text);
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

TEST(FeatureGatesText, SetsTheGatesThatAreBuilt) {
  EXPECT_EQ(read_feature_gates("").gates, kDefaults);
  const GateSettings both =
      read_feature_gates("StorageCapacityScoring=true,SchedulerPopFromBackoffQ=false");
  EXPECT_TRUE(both.gates.storage_capacity_scoring);
  EXPECT_FALSE(both.gates.pop_from_backoff);
  EXPECT_THAT(both.notices, ElementsAre());
  EXPECT_EQ(to_text(both.gates), "SchedulerPopFromBackoffQ=false,StorageCapacityScoring=true");
  EXPECT_EQ(read_feature_gates(to_text(both.gates)).gates, both.gates);
  EXPECT_EQ(to_text(kDefaults), "");
}

TEST(FeatureGatesText, IsReadAsByKubeScheduler) {
  for (const std::string value : {"1", "t", "T", "TRUE", "true", "True", " true "})
    EXPECT_TRUE(read_feature_gates(", kube:StorageCapacityScoring =" + value + ",")
                    .gates.storage_capacity_scoring)
        << value;
  EXPECT_FALSE(read_feature_gates("SchedulerPopFromBackoffQ=F").gates.pop_from_backoff);
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
  const auto notices = [](std::string_view text) { return read_feature_gates(text).notices; };
  EXPECT_THAT(notices("PodLevelResources=true,KubeletPSI=true,SchedulerAsyncPreemption=false"),
              ElementsAre());
  EXPECT_THAT(notices("KubeletPSI=false,SchedulerAsyncPreemption=true"),
              ElementsAre(HasSubstr("KubeletPSI=false makes no difference: kube-scheduler does "
                                    "not read it"),
                          HasSubstr("SchedulerAsyncPreemption=true makes no difference: what an "
                                    "attempt writes")));
}

TEST(FeatureGatesText, SaysWhichSettingsDecideAsByDefault) {
  EXPECT_TRUE(is_as_by_default("StorageCapacityScoring", false));
  EXPECT_FALSE(is_as_by_default("StorageCapacityScoring", true));
  EXPECT_FALSE(is_as_by_default("SchedulerPopFromBackoffQ", false));
  for (const bool value : {false, true}) {
    EXPECT_TRUE(is_as_by_default("SchedulerAsyncPreemption", value));
    EXPECT_TRUE(is_as_by_default("SchedulerQueueingHints", value));
    EXPECT_TRUE(is_as_by_default("KubeletPSI", value)) << "the scheduler does not read it";
    EXPECT_FALSE(is_as_by_default("SomethingNew", value));
  }
  EXPECT_TRUE(is_as_by_default("DRAExtendedResource", true)) << "no workload has a DeviceClass";
  EXPECT_FALSE(is_as_by_default("DRAConsumableCapacity", true));
  EXPECT_TRUE(is_as_by_default("OpportunisticBatching", false));
  EXPECT_FALSE(is_as_by_default("OpportunisticBatching", true));
}

}  // namespace
}  // namespace berth::config
