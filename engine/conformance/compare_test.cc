#include "engine/conformance/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace berth::conformance {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> compare(const std::string& expected, const std::string& answer,
                                 size_t most = 8) {
  Diagnostics diagnostics;
  document::Document a = document::Document::parse(expected, "expected", diagnostics);
  document::Document b = document::Document::parse(answer, "answer", diagnostics);
  EXPECT_EQ(diagnostics.count(), 0u);
  return conformance::compare(a.roots()[0], b.roots()[0], most).differences;
}

std::vector<std::string> results(const std::string& expected, const std::string& answer) {
  return compare(R"({"expect":[)" + expected + "]}", R"({"expect":[)" + answer + "]}");
}

TEST(Compare, EqualAnswersAgree) {
  const std::string all =
      R"({"pod":"a/b","result":"scheduled","nodes":{"n":{"feasible":true}},
          "scores":{"n":{"Fit":3,"total":3}},"best":["n"],"bind":"n"})";
  EXPECT_THAT(results(all, all), IsEmpty());
}

TEST(Compare, MembersThatMustBeEqual) {
  EXPECT_THAT(results(R"({"pod":"p","bind":"n"})", R"({"pod":"p","bind":"m"})"),
              ElementsAre(R"(expect[0] "p" bind: expected "n", got "m")"));
  EXPECT_THAT(
      results(R"({"pod":"p","result":"gated","gatedBy":"G"})", R"({"pod":"p","result":"gated"})"),
      ElementsAre(HasSubstr("got nothing")));
  EXPECT_THAT(results(R"({"pod":"p"})", R"({"pod":"p","best":["n"]})"),
              ElementsAre(HasSubstr("expected nothing")));
}

TEST(Compare, MessagesAreCountedParts) {
  auto messages = [](const std::string& a, const std::string& b) {
    return results(R"({"message":")" + a + "\"}", R"({"message":")" + b + "\"}");
  };
  EXPECT_THAT(messages("0/3 nodes are available: 1 A, 2 B.", "0/3 nodes are available: 2 B, 1 A."),
              IsEmpty());
  for (const char* other :
       {"0/3 nodes are available: 1 A, 1 B.", "0/3 nodes are available: 1 A.",
        "0/4 nodes are available: 1 A, 2 B.", "0/3 nodes are available: 1 A, 2 B, 2 B."})
    EXPECT_EQ(messages("0/3 nodes are available: 1 A, 2 B.", other).size(), 1u) << other;
}

TEST(Compare, ReasonsAreSets) {
  auto node = [](const std::string& reasons) {
    return R"({"nodes":{"n":{"feasible":false,"plugin":"P","code":"C","reasons":[)" + reasons +
           "]}}}";
  };
  EXPECT_THAT(results(node(R"("a","b")"), node(R"("b","a")")), IsEmpty());
  EXPECT_EQ(results(node(R"("a","b")"), node(R"("a")")).size(), 1u);
  EXPECT_EQ(results(node(R"("a")"), R"({"nodes":{"n":{"feasible":true}}})").size(), 1u);
  EXPECT_FALSE(results(node(R"("a")"), R"({"nodes":{}})").empty());
  EXPECT_FALSE(results(R"({"nodes":{}})", node(R"("a")")).empty());
}

TEST(Compare, ASkippedScoreMayBeAbsentOrZero) {
  EXPECT_THAT(
      results(R"({"scores":{"n":{"A":0,"total":5}}})", R"({"scores":{"n":{"total":5,"B":0}}})"),
      IsEmpty());
  EXPECT_EQ(results(R"({"scores":{"n":{"A":1}}})", R"({"scores":{"n":{}}})").size(), 1u);
  EXPECT_EQ(results(R"({"scores":{"n":{}}})", R"({"scores":{"n":{"A":1}}})").size(), 1u);
  EXPECT_FALSE(results(R"({"scores":{"n":{"A":0}}})", R"({})").empty());
}

TEST(Compare, NumbersOfEntriesCount) {
  EXPECT_FALSE(compare(R"({"expect":[{"pod":"p"}]})", R"({"expect":[]})").empty());
  EXPECT_FALSE(compare(R"({"expect":[]})", R"({"expect":[{"pod":"p"}]})").empty());
  EXPECT_FALSE(compare(R"({"expect":[{"pod":"p"}]})", R"({})").empty());
}

TEST(Compare, StepsHistoriesAndOrders) {
  EXPECT_THAT(compare(R"({"steps":[{"evaluated":3}],"nodeOrder":["a"]})",
                      R"({"steps":[{"evaluated":3}],"nodeOrder":["a"]})"),
              IsEmpty());
  EXPECT_THAT(compare(R"({"steps":[{"evaluated":3}],"nodeOrder":["a","b"]})",
                      R"({"steps":[{"evaluated":4}],"nodeOrder":["b","a"]})"),
              ElementsAre("steps[0].evaluated: expected 3, got 4",
                          R"(nodeOrder: expected ["a","b"], got ["b","a"])"));
  EXPECT_THAT(
      compare(R"({"history":[{"op":"pod","next":3}]})", R"({"history":[{"op":"pod","next":4}]})"),
      ElementsAre("history[0].next: expected 3, got 4"));
}

TEST(Compare, ACaseThatExpectsNothingIsNoCase) {
  EXPECT_THAT(compare("{}", "{}"), ElementsAre(HasSubstr("no recorded answer")));
}

std::set<std::string> not_compared(const std::string& expected) {
  Diagnostics diagnostics;
  document::Document a = document::Document::parse(expected, "expected", diagnostics);
  const Comparison comparison = conformance::compare(a.roots()[0], a.roots()[0]);
  EXPECT_THAT(comparison.differences, IsEmpty());
  return comparison.not_compared;
}

TEST(Compare, NamesRecordedKeysThatItDoesNotCompare) {
  EXPECT_THAT(
      not_compared(R"({"name":"x","feature":"f","objects":[],"pods":[],"config":{},"expect":[
          {"pod":"p","result":"gated","gatedBy":"G","message":"m"},
          {"pod":"p","result":"scheduled","nodes":{},"scores":{},"best":["n"],"bind":"n"}]})"),
      IsEmpty());
  EXPECT_THAT(not_compared(R"({"expect":[
          {"pod":"p","result":"unschedulable","event":"e","preFilter":{},"preemption":[{"node":""}]},
          {"pod":"q","result":"scheduled","boundBy":"ext-0","plugins":[],"event":""}]})"),
              ElementsAre("boundBy", "event", "preemption"));
  EXPECT_THAT(not_compared(R"({"history":[{"op":"addNode","object":{},"next":0},
          {"op":"pod","at":1.5,"active":["p"]}]})"),
              ElementsAre("active", "at"));
  EXPECT_THAT(not_compared(R"({"steps":[{"pod":"p","anything":1}],"finally":3})"),
              ElementsAre("finally"));
}

TEST(Compare, SaysSoMuchAndNoMore) {
  EXPECT_EQ(compare(R"({"steps":[{"a":1,"b":1,"c":1}]})", R"({"steps":[{}]})", 2).size(), 2u);
}

}  // namespace
}  // namespace berth::conformance
