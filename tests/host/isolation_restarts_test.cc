// The pauses after which the process of a plugin that ends again and again is started anew.

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "engine/isolation/parent/restart_pace.h"
#include "tests/host/isolated_plugin.h"

namespace berth::host {
namespace {

using isolation::OnFailure;
using isolation::RestartPace;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr int64_t kTick = 500'000'000;
constexpr char kKilledWords[] = "the plugin's process was ended by the signal 9 (Killed)";

// The ticks, two a second, at which a process was ended, of so many with a call each.
std::vector<int64_t> endings(Isolated& plugin, int64_t ticks) {
  std::vector<int64_t> at;
  const int64_t begin = plugin.moment().now;
  for (int64_t tick = 0; tick < ticks; ++tick) {
    plugin.moment().now = begin + tick * kTick;
    if (text_of(plugin.filter()) == kKilledWords) at.push_back(tick);
  }
  return at;
}

// At once, at once, and then after 1 s, 2 s, 4 s ... 256 s, and 300 s from then on.
TEST(IsolationRestarts, PausesDoubleUpToFiveMinutes) {
  Isolated plugin("filter crashes");
  EXPECT_THAT(endings(plugin, 3000),
              ElementsAre(0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1624, 2224, 2824));
}

TEST(IsolationRestarts, CallsInAPauseFailAtOnceAndSaySo) {
  Isolated plugin("filter crashes");
  endings(plugin, 3);
  const std::string pause = std::string(kKilledWords) +
                            "; that of the plugin \"Faulty\" has ended 3 times in a row, and is "
                            "started again at 2023-11-14T22:13:22.000000Z";
  const uint64_t sent = isolation::messages_sent();
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(text_of(plugin.filter()), pause);
    EXPECT_EQ(text_of(plugin.score()), pause);
  }
  EXPECT_EQ(isolation::messages_sent(), sent);
  // The plugin has recovered.
  plugin.moment().now += 2 * kTick;
  EXPECT_EQ(text_of(plugin.score()), "no error");
  EXPECT_EQ(plugin.raw[0], 0);
  EXPECT_THAT(plugin.log(),
              ElementsAre("1 Faulty: " + std::string(kKilledWords) +
                              " in a call of Filter; another one was started",
                          "1 Faulty: " + pause,
                          "3 Faulty: the plugin's process was started again, after 3 had ended in "
                          "a row"));
}

TEST(IsolationRestarts, TenMinutesWithoutAnEndingAreForgiven) {
  Isolated plugin("filter crashes");
  EXPECT_THAT(endings(plugin, 10), ElementsAre(0, 1, 2, 4, 8));
  plugin.moment().now += 7 * kTick;
  EXPECT_EQ(text_of(plugin.score()), "no error");
  plugin.moment().now += 1192 * kTick;
  EXPECT_THAT(endings(plugin, 5), ElementsAre(0, 1, 2, 4));
}

TEST(IsolationRestarts, PauseIsSkippedAsTheEndingIs) {
  Isolated plugin("filter crashes", {.on_failure = OnFailure::kSkip});
  for (int i = 0; i < 8; ++i) {
    EXPECT_FALSE(plugin.filter());
    EXPECT_THAT(plugin.codes, testing::Each(BERTH_SUCCESS));
  }
  ASSERT_EQ(plugin.log().size(), 3u);
  EXPECT_THAT(plugin.log()[2], HasSubstr("has ended 3 times in a row, and is started again at "));
}

TEST(IsolationRestarts, PreparingIsNotSkipped) {
  Isolated plugin("filter crashes", {.on_failure = OnFailure::kSkip});
  endings(plugin, 4);
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(plugin.filter());
  Prepared prepared;
  EXPECT_THAT(text_of(plugin.prepare(prepared)), HasSubstr("has ended 3 times in a row"));
}

TEST(IsolationRestarts, WithoutAClockTheNextCallStartsTheProcess) {
  Isolated plugin("filter crashes", {.starts_at_once = true});
  for (int i = 0; i < 6; ++i) EXPECT_EQ(text_of(plugin.filter()), kKilledWords);
}

// Calls that are asked together find the ending at their time, too.
TEST(IsolationRestarts, RoundsKeepThePace) {
  Isolated plugin("filter crashes");
  std::vector<int> begun;
  const int64_t start = plugin.moment().now;
  for (int tick = 0; tick < 9; ++tick) {
    plugin.moment().now = start + tick * kTick;
    static_cast<void>(plugin.score());  // starts the process, if it is time
    Together together;
    Together::Round round(together);
    plugin.post(together);
    round.send();
    if (plugin.take_filter(together) == kKilledWords) begun.push_back(tick);
  }
  EXPECT_THAT(begun, ElementsAre(0, 1, 2, 4, 8));
}

TEST(RestartPace, DoesNotOverflow) {
  RestartPace pace;
  for (int i = 0; i < 100; ++i) pace.ended(i);
  EXPECT_EQ(pace.in_a_row(), 100u);
  EXPECT_EQ(pace.until(), 99 + RestartPace::kLongestPause);
  EXPECT_TRUE(pace.pauses_at(50)) << "a thread whose clock is behind";
  pace.forget();
  EXPECT_FALSE(pace.pauses_at(100));
}

}  // namespace
}  // namespace berth::host
