// The recorded cases of the controllers, and how answers to them are compared.

#include "engine/conformance/controllers/timeline.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "engine/conformance/case_check.h"
#include "engine/conformance/controllers/compare_timeline.h"
#include "engine/conformance/controllers/players.h"

namespace berth::conformance {
namespace {

std::string answer(document::Value root) {
  rapidjson::StringBuffer buffer;
  document::JsonWriter writer(buffer);
  writer.object([&] { answer_timeline(root, writer); });
  return buffer.GetString();
}

std::vector<std::string> differences(const std::string& expected, const std::string& got) {
  Diagnostics faults;
  const auto one = document::Document::parse(expected, "expected", faults);
  const auto other = document::Document::parse(got, "got", faults);
  EXPECT_EQ(faults.count(), 0u);
  return compare_timelines(one.roots()[0], other.roots()[0], 8);
}

TEST(TimelineCases, AnswersAreThoseThatWereRecorded) {
  const std::string folder = BERTH_SOURCE_DIR "/tests/conformance/cases/";
  for (const PlayedFeature& one : kPlayedFeatures) {
    const auto files = case_files({folder + std::string(one.feature)});
    EXPECT_FALSE(files.empty()) << one.feature;
    for (const std::string& file : files) {
      const CaseFile recorded = read_case(file);
      for (const std::string& fault :
           differences(document::to_json(recorded.root), answer(recorded.root)))
        ADD_FAILURE() << std::filesystem::path(file).filename() << ": " << fault;
    }
  }
}

TEST(Timelines, OneInstantHasNoOrder) {
  const std::string a = R"({"at":1,"type":"gone","pod":"a"})";
  const std::string b = R"({"at":1,"type":"gone","pod":"b"})";
  const auto both = [](const std::string& first, const std::string& second) {
    return R"({"feature":"eviction-api","expect":[)" + first + "," + second + "]}";
  };
  EXPECT_EQ(differences(both(a, b), both(b, a)).size(), 0u);
  EXPECT_EQ(differences(both(a, b), both(a, a)).size(), 2u);
}

TEST(Timelines, AnswersToRequestsHaveAnOrder) {
  const std::string a = R"({"at":1,"type":"response","pod":"a"})";
  const std::string b = R"({"at":1,"type":"response","pod":"b"})";
  const auto both = [](const std::string& first, const std::string& second) {
    return R"({"feature":"eviction-api","expect":[)" + first + "," + second + "]}";
  };
  EXPECT_EQ(differences(both(a, b), both(a, b)).size(), 0u);
  EXPECT_EQ(differences(both(a, b), both(b, a)).size(), 2u);
}

TEST(Timelines, OneOfSeveralTextsIsEnough) {
  const std::string expected =
      R"({"feature":"node-pressure","expect":[{"at":1,"type":"evict","message":"x",)"
      R"("condition":{"message":"x"},"messageAlternatives":["y"]}]})";
  const auto got = [](const std::string& text) {
    return R"({"expect":[{"at":1,"type":"evict","message":")" + text +
           R"(","condition":{"message":")" + text + R"("}}]})";
  };
  EXPECT_EQ(differences(expected, got("x")).size(), 0u);
  EXPECT_EQ(differences(expected, got("y")).size(), 0u);
  EXPECT_EQ(differences(expected, got("z")).size(), 1u);
}

}  // namespace
}  // namespace berth::conformance
