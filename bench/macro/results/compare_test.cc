#include "bench/macro/results/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "engine/base/error.h"

namespace berth::bench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
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
  EXPECT_EQ(change.runs[0].run,
            "basic, 5 nodes, default %, full, threads 1, seed 0, Kubernetes 1.34");
  EXPECT_NEAR(speed.ratio, 92.0 / 102, 1e-9);
  EXPECT_TRUE(speed.significant());
  EXPECT_NEAR(speed.worse_by(), 10.0 / 102, 1e-9);
  EXPECT_THAT(violations(change, parse_fail_if("slower:5%")), SizeIs(1));
  EXPECT_THAT(violations(change, parse_fail_if("slower:15")), IsEmpty());
}

rapidjson::Document of_version(const char* version) {
  rapidjson::Document document = results(kFast);
  rapidjson::Value& run = document["results"][0];
  run.AddMember("kube_version", rapidjson::Value(version, document.GetAllocator()),
                document.GetAllocator());
  return document;
}

// Results without a version are older than it, and of 1.34.
TEST(Compare, TellsRunsOfVersionsApart) {
  const ResultsChange change = compare(of_version("1.34"), of_version("1.36"));
  EXPECT_THAT(change.runs, IsEmpty());
  EXPECT_THAT(change.only_before, ElementsAre(HasSubstr("Kubernetes 1.34")));
  EXPECT_THAT(compare(results(kFast), of_version("1.34")).runs, SizeIs(1));
  EXPECT_THAT(compare(of_version("1.34"), of_version("1.36"), {"kube-version"}).runs, SizeIs(1));
}

TEST(Compare, SettingsOfASweepTellRunsApart) {
  const auto of = [](const char* weight) {
    rapidjson::Document document = results(kFast);
    rapidjson::Value settings(rapidjson::kObjectType);
    settings.AddMember("weight:A", rapidjson::Value(weight, document.GetAllocator()),
                       document.GetAllocator());
    document["results"][0].AddMember("settings", settings, document.GetAllocator());
    return document;
  };
  EXPECT_THAT(compare(of("1"), of("1")).runs, SizeIs(1));
  EXPECT_THAT(compare(of("1"), of("2")).only_before, ElementsAre(HasSubstr("weight:A=1")));
  EXPECT_THAT(compare(of("1"), of("2"), {"settings"}).runs, SizeIs(1));
}

TEST(Compare, ControllersTellRunsApart) {
  const auto with = [](const char* list) {
    rapidjson::Document document = results(kFast);
    document["results"][0].AddMember("controllers", rapidjson::StringRef(list),
                                     document.GetAllocator());
    return document;
  };
  // A result without the member is older than controllers, and those of its clock are the default.
  EXPECT_THAT(compare(results(kFast), with("*")).runs, SizeIs(1));
  const ResultsChange change = compare(with("*"), with("*,-kubelet"));
  EXPECT_THAT(change.runs, IsEmpty());
  EXPECT_THAT(change.only_after, ElementsAre(HasSubstr("controllers *,-kubelet")));
  EXPECT_THAT(compare(with("*"), with("")).only_after, ElementsAre(HasSubstr("no controllers")));
  EXPECT_THAT(compare(with("*"), with(""), {"controllers"}).runs, SizeIs(1));
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

// Two and eight samples are enough: 2 of 45 orders are as extreme.
TEST(Compare, CountsTheSamplesOfBothSides) {
  const ResultsChange change = compare(results("100,101"), results("90,91,92,93,94,95,96,97"));
  EXPECT_TRUE(change.runs[0].figures[0].significant());
  EXPECT_THAT(violations(change, parse_fail_if("slower:1%")), SizeIs(1));
}

// One document with the runs of both.
rapidjson::Document together(rapidjson::Document first, const rapidjson::Document& second) {
  for (const rapidjson::Value& run : second["results"].GetArray())
    first["results"].PushBack(rapidjson::Value(run, first.GetAllocator()), first.GetAllocator());
  return first;
}

TEST(Compare, RunsOfOneNameArePairedInOrder) {
  const ResultsChange change =
      compare(together(results(kFast), results(kFast)), together(results(kFast), results(kSlow)));
  ASSERT_THAT(change.runs, SizeIs(2));
  EXPECT_THAT(violations(change, parse_fail_if("slower:5%")), ElementsAre(HasSubstr("run 2")));
}

TEST(Compare, SeedsAreWholeNumbers) {
  const auto with_seed = [](uint64_t seed) {
    rapidjson::Document document = results(kFast);
    document["results"][0]["seed"].SetUint64(seed);
    return document;
  };
  constexpr uint64_t kLarge = uint64_t{1} << 53;
  EXPECT_THAT(compare(with_seed(kLarge), with_seed(kLarge + 1)).runs, IsEmpty());
}

TEST(Compare, ARunThatIsGoneIsNoPass) {
  const rapidjson::Document both = together(results(kFast), results(kFast, "aa", "other"));
  EXPECT_THAT(
      error_of([&] { violations(compare(both, results(kFast)), parse_fail_if("slower:5%")); }),
      HasSubstr("lacks a run of the first: other"));
  EXPECT_THAT(violations(compare(results(kFast), both), parse_fail_if("slower:5%")), IsEmpty());
}

TEST(Compare, ARunThatWasInterruptedIsNoPass) {
  rapidjson::Document part = results(kFast);
  part["results"][0].AddMember("interrupted", true, part.GetAllocator());
  EXPECT_THAT(
      error_of([&] { violations(compare(results(kFast), part), parse_fail_if("decisions")); }),
      HasSubstr("was interrupted"));
}

TEST(Compare, AFigureOfOneFileAloneIsNoPass) {
  rapidjson::Document more = results(kFast);
  auto& allocator = more.GetAllocator();
  rapidjson::Value times(rapidjson::kArrayType);
  times.PushBack(1, allocator);
  more["results"][0]["samples"].AddMember("cpu_seconds", times, allocator);
  const ResultsChange change = compare(more, results(kFast));
  EXPECT_THAT(error_of([&] { violations(change, parse_fail_if("cpu:5%")); }),
              HasSubstr("only one of the files has cpu_seconds"));
  EXPECT_THAT(violations(change, parse_fail_if("slower:5%")), IsEmpty());
}

// A change from 0 exceeds every tolerated part.
TEST(Compare, FromZeroIsInfinitelyWorse) {
  const auto refused = [](const std::string& counts) {
    rapidjson::Document document;
    document.Parse(
        (R"({"results":[{"workload":"w","samples":{"pods_unschedulable":[)" + counts + "]}}]}")
            .c_str());
    return document;
  };
  const ResultsChange change = compare(refused("0,0,0,0,0"), refused("5,6,7,8,9"));
  EXPECT_THAT(violations(change, parse_fail_if("unschedulable:150%")), SizeIs(1));
  rapidjson::Document json;
  json.Parse(to_json(change).c_str());
  ASSERT_FALSE(json.HasParseError());
  EXPECT_TRUE(json["runs"][0]["figures"][0]["worse_by"].IsNull());
  EXPECT_TRUE(json["runs"][0]["figures"][0]["ratio"].IsNull());
}

TEST(Compare, RunsOfOtherVariantsAreOthers) {
  const ResultsChange change = compare(results(kFast), results(kFast, "aa", "basic", 2));
  EXPECT_THAT(change.runs, IsEmpty());
}

TEST(Compare, RunsWithIsolatedPluginsAreOthers) {
  const auto isolated = [](const char* which) {
    rapidjson::Document document = results(kFast);
    document["results"][0].AddMember("isolation", rapidjson::StringRef(which),
                                     document.GetAllocator());
    return document;
  };
  EXPECT_THAT(compare(results(kFast), isolated("")).runs, SizeIs(1));
  const ResultsChange change = compare(results(kFast), isolated("A, B"));
  EXPECT_THAT(change.runs, IsEmpty());
  EXPECT_THAT(change.only_after, testing::ElementsAre(HasSubstr("isolated A, B")));
  EXPECT_THAT(compare(isolated("A"), isolated("A, B")).runs, IsEmpty());
  EXPECT_THAT(compare(isolated("A"), isolated("A, B"), {"isolation"}).runs, SizeIs(1));
}

// Compares two settings under the same load.
TEST(Compare, RunsMayDifferInWhatIsIgnored) {
  const ResultsChange change =
      compare(results(kFast), results(kSlow, "aa", "basic", 2), {"threads"});
  ASSERT_THAT(change.runs, SizeIs(1));
  EXPECT_THAT(change.runs[0].run, Not(HasSubstr("threads")));
  EXPECT_THAT(violations(change, parse_fail_if("slower:5%")), SizeIs(1));
  EXPECT_THAT(error_of([] { compare(results(kFast), results(kFast), {"speed"}); }),
              HasSubstr("--ignore speed: expected workload, nodes"));
}

TEST(Compare, SaysWhatMakesFilesHardToCompare) {
  const auto on = [](const char* cpu, const char* disturbed) {
    rapidjson::Document document = results(kFast), environment;
    environment.Parse(
        (std::string(R"({"cpu":")") + cpu + R"(","cores":2,"disturbed":[)" + disturbed + "]}")
            .c_str());
    document.AddMember("environment", rapidjson::Value(environment, document.GetAllocator()),
                       document.GetAllocator());
    return document;
  };
  EXPECT_THAT(compare(on("A", ""), on("A", "")).remarks, IsEmpty());
  EXPECT_THAT(compare(on("A", ""), on("B", R"("steal time")")).remarks,
              ElementsAre("other cpu: A, then B", "disturbed after: steal time"));
}

TEST(Compare, SeesOtherDecisions) {
  const ResultsChange change = compare(results(kFast), results(kFast, "bb"));
  EXPECT_THAT(violations(change, parse_fail_if("decisions")),
              ElementsAre(HasSubstr("other decisions")));
  EXPECT_THAT(violations(compare(results(kFast), results(kFast)), parse_fail_if("decisions")),
              IsEmpty());
}

TEST(FailIf, SaysWhatItTakes) {
  for (const char* text : {"", "slower", "slower:", "slower:x", "slower:-1", "slower:5%x",
                           "slower:inf%", "slower:nan", "fast:5%", "decisions:5%"})
    EXPECT_THAT(error_of([&] { parse_fail_if(text); }), HasSubstr("expected decisions, slower:N%"))
        << text;
}

TEST(ReadResults, RefusesWhatIsSomethingElse) {
  const std::string file = testing::TempDir() + "/results.json";
  const std::string deep(3'000'000, '[');
  for (const char* text :
       {"", "{", "[]", deep.c_str(), "{}", R"({"format":"berth-bench/2","results":[]})",
        R"({"format":"berth-bench/1"})"}) {
    std::ofstream(file) << text;
    EXPECT_THAT(error_of([&] { read_results(file); }), HasSubstr("expected")) << text;
  }
}

}  // namespace
}  // namespace berth::bench
