#include "bench/macro/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "engine/base/error.h"

namespace berth::bench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

rapidjson::Document results(const std::string& speeds, const std::string& hash = "aa",
                            const std::string& workload = "basic", int threads = 1) {
  rapidjson::Document document;
  document.Parse((R"({"format":"berth-bench/1","results":[{"workload":")" + workload +
                  R"(","nodes":5,"percentage_of_nodes_to_score":0,"evaluation":"full","threads":)" +
                  std::to_string(threads) +
                  R"(,"seed":0,"configuration":"default","decision_hash":")" + hash +
                  R"(","samples":{"decisions_per_second":[)" + speeds + "]}}]}")
                     .c_str());
  EXPECT_FALSE(document.HasParseError());
  return document;
}

const std::string kFast = "100,101,102,103,104", kSlow = "90,91,92,93,94";

std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Compare, FindsWhatIsSlower) {
  const ResultsChange change = compare(results(kFast), results(kSlow));
  ASSERT_THAT(change.runs, SizeIs(1));
  ASSERT_THAT(change.runs[0].figures, SizeIs(1));
  const FigureChange& speed = change.runs[0].figures[0];
  EXPECT_NEAR(speed.ratio, 92.0 / 102, 1e-9);
  EXPECT_TRUE(speed.significant());
  EXPECT_NEAR(speed.worse_by(), 10.0 / 102, 1e-9);
  EXPECT_THAT(violations(change, parse_fail_if("slower:5%")), SizeIs(1));
  EXPECT_THAT(violations(change, parse_fail_if("slower:15")), IsEmpty());
}

TEST(Compare, FasterIsNoViolation) {
  const ResultsChange change = compare(results(kSlow), results(kFast));
  EXPECT_LT(change.runs[0].figures[0].worse_by(), 0);
  EXPECT_THAT(violations(change, parse_fail_if("slower:0%")), IsEmpty());
}

TEST(Compare, WhatIsNotSignificantIsNoViolation) {
  const ResultsChange change = compare(results("100,140,60,120,80"), results("90,130,50,110,70"));
  EXPECT_FALSE(change.runs[0].figures[0].significant());
  EXPECT_THAT(violations(change, parse_fail_if("slower:5%")), IsEmpty());
}

TEST(Compare, SaysWhenNothingCanBeSaid) {
  const ResultsChange few = compare(results("100,101"), results("90,91"));
  EXPECT_THAT(error_of([&] { violations(few, parse_fail_if("slower:5%")); }),
              HasSubstr("--repetitions 4"));
  const ResultsChange none = compare(results(kFast), results(kFast, "aa", "other"));
  EXPECT_THAT(none.only_before, SizeIs(1));
  EXPECT_THAT(none.only_after, SizeIs(1));
  EXPECT_THAT(error_of([&] { violations(none, parse_fail_if("decisions")); }),
              HasSubstr("no run in common"));
  const ResultsChange same = compare(results(kFast), results(kFast));
  EXPECT_THAT(error_of([&] { violations(same, parse_fail_if("memory:5%")); }),
              HasSubstr("peak_memory_bytes"));
}

TEST(Compare, RunsOfOtherVariantsAreOthers) {
  const ResultsChange change = compare(results(kFast), results(kFast, "aa", "basic", 2));
  EXPECT_THAT(change.runs, IsEmpty());
}

TEST(Compare, SeesOtherDecisions) {
  const ResultsChange change = compare(results(kFast), results(kFast, "bb"));
  EXPECT_THAT(violations(change, parse_fail_if("decisions")),
              ElementsAre(HasSubstr("other decisions")));
  EXPECT_THAT(violations(compare(results(kFast), results(kFast)), parse_fail_if("decisions")),
              IsEmpty());
}

TEST(FailIf, SaysWhatItTakes) {
  for (const char* text :
       {"", "slower", "slower:", "slower:x", "slower:-1", "slower:5%x", "fast:5%", "decisions:5%"})
    EXPECT_THAT(error_of([&] { parse_fail_if(text); }), HasSubstr("expected decisions, slower:N%"))
        << text;
}

TEST(ReadResults, RefusesWhatIsSomethingElse) {
  const std::string file = testing::TempDir() + "/results.json";
  for (const char* text : {"", "{", "[]", "{}", R"({"format":"berth-bench/2","results":[]})",
                           R"({"format":"berth-bench/1"})"}) {
    std::ofstream(file) << text;
    EXPECT_THAT(error_of([&] { read_results(file); }), HasSubstr("expected")) << text;
  }
}

}  // namespace
}  // namespace berth::bench
