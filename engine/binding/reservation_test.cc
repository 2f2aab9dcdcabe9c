#include "engine/binding/reservation.h"

#include "engine/binding/testing.h"

namespace berth::binding {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr int64_t kSecond = 1'000'000'000;

struct ReservationTest : BindingFixture {
  ReservationTest() {
    for (auto& [plugin, letter] : {std::pair{&a, "A"}, std::pair{&b, "B"}}) {
      plugin->reserve = [this, who = std::string(letter)](const FakeCall& call) -> uint8_t {
        note(who + " reserves", call);
        return BERTH_SUCCESS;
      };
      plugin->unreserve = [this, who = std::string(letter)](const FakeCall& call) {
        note(who + " unreserves", call);
      };
      plugin->permit = [this, who = std::string(letter)](const FakeCall& call,
                                                         int64_t&) -> uint8_t {
        note(who + " permits", call);
        return BERTH_SUCCESS;
      };
    }
  }

  Reserved reserve() {
    profile = world.profile({&a, &b});
    framework::DecisionContext cycle;
    cycle.profile = profile.get();
    cycle.own_pre_filter.skipped = skipped;
    asked = Reservation::concerns(cycle);
    return reservation.reserve(cycle, one, 0);
  }

  model::PodId one = pod("one");
  std::vector<bool> skipped;  // by PreFilter hook
  bool asked = false;
  std::unique_ptr<framework::Profile> profile;
  Reservation reservation{world.cluster(), world.calls()};
};

TEST_F(ReservationTest, AsksAllReserveHooksAndThenAllPermitHooks) {
  const Reserved made = reserve();
  EXPECT_FALSE(made.rejection);
  EXPECT_TRUE(made.holds.empty());
  EXPECT_THAT(told(),
              ElementsAre("A reserves one", "B reserves one", "A permits one", "B permits one"));
}

TEST_F(ReservationTest, AHookThatFollowsItsPreFilterIsNotAskedAboutAPodThatThisSkipped) {
  for (FakePlugin* plugin : {&a, &b}) {
    plugin->pre_filter = [](const FakeCall&, berth_pre_filter_result&) { return BERTH_SUCCESS; };
    plugin->permit = nullptr;
  }
  b.reserve_follows = true;
  skipped = {true, true};
  reserve();
  EXPECT_THAT(told(), ElementsAre("A reserves one"));
  skipped = {true, false};
  reserve();
  EXPECT_THAT(told(), ElementsAre("A reserves one", "B reserves one"));
  a.reserve_follows = true;
  reserve();
  EXPECT_THAT(told(), ElementsAre("B reserves one"));
  EXPECT_TRUE(asked);
  skipped = {true, true};
  reserve();
  EXPECT_THAT(told(), ElementsAre());
  EXPECT_FALSE(asked);
}

TEST_F(ReservationTest, EachPermitHookMayHoldThePodForATimeOfItsOwn) {
  a.permit = [](const FakeCall&, int64_t& timeout) -> uint8_t {
    timeout = 5 * kSecond;
    return BERTH_WAIT;
  };
  b.permit = [](const FakeCall&, int64_t& timeout) -> uint8_t {
    timeout = 3 * kSecond;
    return BERTH_WAIT;
  };
  const Reserved made = reserve();
  EXPECT_FALSE(made.rejection);
  ASSERT_EQ(made.holds.size(), 2u);
  EXPECT_EQ(made.holds[0].plugin, "A");
  EXPECT_EQ(made.holds[0].timeout, seconds(5));
  EXPECT_EQ(made.holds[1].plugin, "B");
  EXPECT_EQ(made.holds[1].timeout, seconds(3));
}

TEST_F(ReservationTest, ARefusalEndsItAndNamesThePluginAndItsReason) {
  a.reserve = [](const FakeCall&) -> uint8_t { return BERTH_UNSCHEDULABLE; };
  const Reserved made = reserve();
  ASSERT_TRUE(made.rejection);
  EXPECT_FALSE(made.rejection->failed);
  EXPECT_EQ(made.rejection->message, "0/1 nodes are available: 1 A says 1.");
  EXPECT_THAT(told(), ElementsAre());
}

TEST_F(ReservationTest, ARefusalByPermitTakesBackEarlierHolds) {
  a.permit = [](const FakeCall&, int64_t& timeout) -> uint8_t {
    timeout = kSecond;
    return BERTH_WAIT;
  };
  b.permit = [](const FakeCall&, int64_t&) -> uint8_t { return BERTH_UNSCHEDULABLE; };
  const Reserved made = reserve();
  ASSERT_TRUE(made.rejection);
  EXPECT_FALSE(made.rejection->failed);
  EXPECT_TRUE(made.holds.empty());
}

TEST_F(ReservationTest, AnErrorFailsThePodWithThePluginsText) {
  b.reserve = [](const FakeCall&) -> uint8_t { throw FakeFailure{"the disk is gone"}; };
  const Reserved made = reserve();
  ASSERT_TRUE(made.rejection);
  EXPECT_TRUE(made.rejection->failed);
  EXPECT_EQ(made.rejection->message, "running Reserve plugin \"B\": the disk is gone");
  EXPECT_THAT(told(), ElementsAre("A reserves one"));
}

TEST_F(ReservationTest, AnAnswerThatTheContractForbidsIsAnError) {
  a.permit = [](const FakeCall&, int64_t& timeout) -> uint8_t {
    timeout = -1;
    return BERTH_WAIT;
  };
  const Reserved made = reserve();
  ASSERT_TRUE(made.rejection);
  EXPECT_TRUE(made.rejection->failed);
  EXPECT_THAT(made.rejection->message, HasSubstr("negative"));
  EXPECT_TRUE(made.holds.empty());
}

TEST_F(ReservationTest, UnreserveAsksAllPluginsInReverseOrder) {
  a.reserve = [](const FakeCall&) -> uint8_t { return BERTH_UNSCHEDULABLE; };
  EXPECT_TRUE(reserve().rejection);
  reservation.unreserve(*profile, one);
  EXPECT_THAT(told(), ElementsAre("B unreserves one", "A unreserves one"));
}

}  // namespace
}  // namespace berth::binding
