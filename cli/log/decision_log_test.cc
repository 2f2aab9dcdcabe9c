#include "cli/log/decision_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::cli {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;

constexpr int64_t kWall = 1'795'358'492'123'456'789;  // 2026-11-22 14:41:32 UTC

TEST(KlogLine, HasKlogsHeaderAndPairs) {
  std::string text;
  KlogLine(text, Severity::kInfo, kWall, "Attempting").with("pod", "default/a").with("score", -3);
  EXPECT_THAT(text, MatchesRegex("I1122 14:41:32\\.123456 +[0-9]+ decision_log_test\\.cc:[0-9]+\\] "
                                 "\"Attempting\" pod=\"default/a\" score=-3\n"));
  KlogLine(text = "", Severity::kError, kWall, "m");
  EXPECT_EQ(text.front(), 'E');
}

TEST(KlogLine, IsOneLineThatATerminalCanShow) {
  EXPECT_EQ(klog_quoted("a \"b\" \\ \x1b[31m\n"), "\"a \\\"b\\\" \\\\ \\x1b[31m\\n\"");
}

TEST(CycleTrace, IsSilentBelowHundredMilliseconds) {
  CycleTrace trace{Rules(KubeVersion::k1_36)};
  trace.begin(0s);
  trace.step(99ms, "step");
  EXPECT_THAT(trace.end(100ms - 1ns, 1, "name:a", true), IsEmpty());
  EXPECT_THAT(trace.end(100ms, 1, "name:a", true), HasSubstr("step"));
}

TEST(CycleTrace, NamesStepsThatTookMoreThanTheirShare) {
  CycleTrace trace{Rules(KubeVersion::k1_36)};
  trace.begin(std::chrono::nanoseconds(kWall));
  trace.step(std::chrono::nanoseconds(kWall) + 24ms, "first");  // the share is 100 ms / 4
  trace.step(std::chrono::nanoseconds(kWall) + 134ms, "second");
  trace.step(std::chrono::nanoseconds(kWall) + 135ms, "third");
  const std::string head =
      "Trace[7]: \"Scheduling\" namespace:default,name:a (22-Nov-2026 14:41:32.123) (total time: "
      "150ms):\n";
  const std::string end = "Trace[7]: [150ms] [150ms] END\n";
  const std::string second = "Trace[7]: ---\"second\" 110ms (14:41:32.257)\n";
  const auto traced = [&](bool every_step) {
    return trace.end(std::chrono::nanoseconds(kWall) + 150ms, 7, "namespace:default,name:a",
                     every_step);
  };
  EXPECT_EQ(traced(false), head + second + end);
  EXPECT_EQ(traced(true), head + "Trace[7]: ---\"first\" 24ms (14:41:32.147)\n" + second +
                              "Trace[7]: ---\"third\" 1ms (14:41:32.258)\n" + end);
}

TEST(CycleTrace, HasTheSnapshotInFormerVersionsAlone) {
  for (const KubeVersion version : {KubeVersion::k1_34, KubeVersion::k1_36}) {
    CycleTrace trace{Rules(version)};
    trace.begin(0s);
    trace.snapshot(60ms);
    const bool told = trace.end(100ms, 1, "name:a", true).find("Snapshotting") != std::string::npos;
    EXPECT_EQ(told, version == KubeVersion::k1_34);
  }
}

TEST(LogLevel, IsWhatKlogTakes) {
  for (const char* level : {"0", "1", "2", "6", "9", "10", "11", "2147483647"})
    EXPECT_THAT(log_level_problem(level), IsEmpty()) << level;
  for (const char* level : {"-2", "2x", "", "high", "2147483648"})
    EXPECT_THAT(log_level_problem(level), HasSubstr("a level from 0 to 2147483647")) << level;
}

}  // namespace
}  // namespace berth::cli
