#include "engine/controllers/nodes/zones.h"

#include <gtest/gtest.h>

#include <chrono>

namespace berth::controllers {
namespace {

using namespace std::chrono_literals;

std::string states(const Zones& zones) {
  std::string text;
  zones.states([&](const std::string& name, ZoneState state) {
    text += name + ":" + std::string(zone_state_name(state)) + " ";
  });
  return text;
}

void add(Zones& zones, const std::string& zone, size_t ready, size_t not_ready) {
  zones.see(zone);
  for (size_t i = 0; i < ready; ++i) zones.count(zone, true);
  for (size_t i = 0; i < not_ready; ++i) zones.count(zone, false);
}

std::string state_of(size_t ready, size_t not_ready) {
  Zones zones;
  add(zones, "", 1, 0);
  add(zones, "z", ready, not_ready);
  zones.judge(0s);
  return states(zones).substr(8);
}

// The first two turns of nodes that wait since 0 s, in whole seconds.
std::string turns(size_t ready, size_t not_ready) {
  Zones zones;
  add(zones, "", 1, 0);
  add(zones, "z", ready, not_ready);
  zones.judge(0s);
  for (const char* name : {"a", "b"}) zones.queue("z").add(0s, name);
  std::string text;
  for (Time now{}; now < 200s; now += 1s)
    zones.run(now, [&](const std::string& node) {
      text += node + std::to_string(now / Time(1s)) + " ";
      return true;
    });
  return text;
}

TEST(Zones, AreNamedByRegionAndZone) {
  EXPECT_EQ(zone_of({}), "");
  EXPECT_EQ(zone_of({{"topology.kubernetes.io/zone", "z"}}), "/z");
  EXPECT_EQ(zone_of({{"failure-domain.beta.kubernetes.io/zone", "old"},
                     {"topology.kubernetes.io/region", "r"},
                     {"topology.kubernetes.io/zone", "z"}}),
            "r/old");
}

TEST(Zones, StatesFollowTheShareOfNodesThatAreNotReady) {
  EXPECT_EQ(state_of(0, 1), "z:FullDisruption ");
  EXPECT_EQ(state_of(1, 2), "z:Normal ") << "two are too few";
  EXPECT_EQ(state_of(3, 3), "z:Normal ");
  EXPECT_EQ(state_of(9, 11), "z:PartialDisruption ") << "55 % exactly";
  EXPECT_EQ(state_of(10, 12), "z:Normal ");
}

TEST(Zones, RatesFollowStateAndSize) {
  EXPECT_EQ(turns(5, 2), "a0 b10 ");
  EXPECT_EQ(turns(0, 2), "a0 b10 ");
  EXPECT_EQ(turns(20, 30), "") << "50 nodes are not many";
  EXPECT_EQ(turns(21, 30), "a0 b101 ");
}

TEST(Zones, AllDisruptedStopsAndOneThatRecoversResumes) {
  Zones zones;
  add(zones, "a", 1, 1);
  add(zones, "b", 0, 1);
  EXPECT_EQ(zones.judge(0s), Zones::Turn::kNone);
  zones.uncount("a", true);
  EXPECT_EQ(zones.judge(5s), Zones::Turn::kStop);
  EXPECT_EQ(states(zones), "a:FullDisruption b:FullDisruption ");
  zones.queue("a").add(5s, "n");
  EXPECT_EQ(zones.next(), std::nullopt);
  EXPECT_EQ(zones.judge(10s), Zones::Turn::kNone);
  zones.count("b", true);
  EXPECT_EQ(zones.judge(15s), Zones::Turn::kResume);
  EXPECT_EQ(states(zones), "a:FullDisruption b:Normal ");
  zones.run(24s, [](const std::string&) -> bool { throw 0; });
  EXPECT_NE(zones.next(), std::nullopt) << "the rate of zones that stay disrupted is back";
}

// A new zone is not disrupted before its first look, so nothing resumes.
TEST(Zones, ANewZoneDoesNotResumeTheOthers) {
  Zones zones;
  add(zones, "a", 0, 1);
  EXPECT_EQ(zones.judge(0s), Zones::Turn::kStop);
  add(zones, "b", 1, 0);
  EXPECT_EQ(zones.judge(5s), Zones::Turn::kNone);
  zones.queue("a").add(5s, "n");
  EXPECT_EQ(zones.next(), std::nullopt);
}

TEST(Zones, AZoneWithoutNodesThatCountIsForgotten) {
  Zones zones;
  add(zones, "a", 1, 0);
  add(zones, "b", 0, 1);
  zones.judge(0s);
  zones.uncount("b", false);
  zones.judge(5s);
  EXPECT_EQ(states(zones), "a:Normal ");
  zones.queue("b").add(5s, "n");
  EXPECT_EQ(zones.next(), 5s) << "its nodes still have their turns";
  zones.see("b");
  EXPECT_EQ(states(zones), "a:Normal b:Initial ");
  EXPECT_EQ(zones.next(), std::nullopt) << "with a new queue";
}

}  // namespace
}  // namespace berth::controllers
