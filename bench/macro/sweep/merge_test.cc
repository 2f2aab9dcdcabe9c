#include "bench/macro/sweep/merge.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/macro/results/results.h"
#include "engine/base/error.h"

namespace berth::bench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

SettingsGrid six() {
  return SettingsGrid({parse_axis("percentage=10,20,30"), parse_axis("seed=1,2")}, 100);
}

std::string result_text(uint64_t combination, double used, uint64_t refused) {
  return fmt::format(R"({{"workload": "w", "label": "", "interrupted": false, "combination": {},
      "pods_unschedulable": {}, "victims": 0,
      "quality": {{"utilisation": [{{"resource": "cpu", "fraction": {}}}]}}}})",
                     combination, refused, used);
}

struct Made {
  std::vector<std::string> results;
  Part part = {};
  std::vector<uint64_t> failed = {};
  std::string load = "w";
  std::string seed = "0";
  std::string commit = "c";
  SettingsGrid grid = six();
};

SweepPart part_of(const std::string& file, const Made& made) {
  SweepPart part;
  part.file = file;
  part.document.Parse(fmt::format(R"({{"format": "berth-bench/1", "elapsed_seconds": 2,
      "environment": {{"version": "1", "commit": "{}", "disturbed": []}}, "failed": [],
      "results": [{}]}})",
                                  made.commit, fmt::join(made.results, ","))
                          .c_str());
  part.sweep.grid = made.grid;
  part.sweep.part = made.part;
  part.sweep.failed = made.failed;
  part.sweep.figures = SweepFigures::with_front({}, "--front");
  part.sweep.shared.load = {{"workload", made.load}};
  part.sweep.shared.options = {{"seed", made.seed}};
  add_sweep(part.document, part.sweep);
  part.sweep = read_sweep(part.document);  // as from a file
  return part;
}

std::vector<std::string> results_of(std::initializer_list<uint64_t> combinations) {
  std::vector<std::string> results;
  for (const uint64_t combination : combinations)
    results.push_back(result_text(combination, 0.1 * static_cast<double>(combination), 6));
  return results;
}

std::vector<SweepPart> two(const Made& a, const Made& b) {
  std::vector<SweepPart> parts;
  parts.push_back(part_of("a.json", a));
  parts.push_back(part_of("b.json", b));
  return parts;
}

Merged merged(const Made& a, const Made& b, bool allow_missing = false) {
  Merged made = merge(two(a, b), allow_missing, "merge");
  add_sweep(made.document, made.sweep);
  return made;
}

void expect_refused(const Made& a, const Made& b, const std::string& why) {
  EXPECT_THAT([&] { merged(a, b); }, ThrowsMessage<Error>(HasSubstr(why)));
}

TEST(MergeSweeps, TheirTableIsThatOfTheWhole) {
  const Made whole = {results_of({0, 1, 2, 3, 4, 5})};
  const SweepPart at_once = part_of("whole.json", whole);
  const Merged of_parts = merged({results_of({1, 3, 5}), {2, 2}}, {results_of({0, 2, 4}), {1, 2}});
  EXPECT_EQ(of_parts.document["results"], at_once.document["results"]);
  EXPECT_EQ(of_parts.document["sweep"], at_once.document["sweep"]);
  EXPECT_EQ(of_parts.document["elapsed_seconds"].GetDouble(), 4);
}

TEST(MergeSweeps, RowsAreMeansOfDrawsAndHaveTheFront) {
  std::vector<std::string> results;
  // Mean use 0.3, 0.5, 0.4; mean refusals 4, 6, 6: the third is worse than the second.
  for (const auto& [used, refused] : std::vector<std::pair<double, uint64_t>>{
           {0.2, 2}, {0.4, 6}, {0.5, 6}, {0.5, 6}, {0.3, 6}, {0.5, 6}})
    results.push_back(result_text(results.size(), used, refused));
  const Sweep sweep = [&] {
    SweepPart part = part_of("a.json", {results});
    add_sweep(part.document, part.sweep);
    return part.sweep;
  }();
  ASSERT_EQ(sweep.rows.size(), 3u);
  EXPECT_NEAR(sweep.rows[0].values[0].value(), 0.3, 1e-12);
  EXPECT_THAT(sweep.rows[1].combinations, ElementsAre(2, 3));
  EXPECT_TRUE(sweep.rows[0].front);
  EXPECT_TRUE(sweep.rows[1].front);
  EXPECT_FALSE(sweep.rows[2].front);
}

TEST(MergeSweeps, RowsThatLackDrawsAreNotOnTheFront) {
  SweepPart part = part_of("a.json", {results_of({0, 2, 3}), {1, 2}});
  add_sweep(part.document, part.sweep);
  ASSERT_EQ(part.sweep.rows.size(), 2u);
  EXPECT_FALSE(part.sweep.rows[0].front);
  EXPECT_TRUE(part.sweep.rows[1].front);
  EXPECT_THAT(sweep_text(part.document, part.sweep, false), HasSubstr("(1 of 2 draws)"));
}

TEST(MergeSweeps, NameWhatOverlapsOrIsMissing) {
  expect_refused({results_of({0, 1, 2}), {1, 2}}, {results_of({2, 3, 4, 5}), {2, 2}},
                 "b.json: overlaps with a.json: both have combination 2 (percentage=20, seed=1)");
  expect_refused({results_of({0, 3}), {1, 3}}, {results_of({2, 5}), {3, 3}},
                 "2 of 6 combinations are missing, such as combination 1 (percentage=10, seed=2), "
                 "combination 4 (percentage=30, seed=1); no file is part 2/3");
  // What failed was tried.
  expect_refused({results_of({0, 1, 2}), {}, {3}}, {results_of({3, 4, 5})}, "overlaps");
  EXPECT_THAT(merged({results_of({0, 1, 2}), {}, {3}}, {results_of({4, 5})}).sweep.failed,
              ElementsAre(3));
}

TEST(MergeSweeps, MarkWhatIsMissingIfItMayBe) {
  const Merged made = merged({results_of({0, 1}), {1, 3}}, {results_of({4, 5}), {3, 3}}, true);
  EXPECT_TRUE(made.document["sweep"]["interrupted"].GetBool());
  EXPECT_EQ(made.sweep.rows.size(), 2u);
  EXPECT_THAT(sweep_text(made.document, made.sweep, false),
              HasSubstr("4 of 6 combinations are measured"));
}

TEST(MergeSweeps, AnInterruptedResultIsMissing) {
  Made cut = {results_of({0, 1, 2}), {1, 2}};
  std::string& last = cut.results.back();
  last.replace(last.find("false"), 5, "true");
  expect_refused(cut, {results_of({3, 4, 5}), {2, 2}}, "1 of 6 combinations are missing");
  EXPECT_EQ(merged(cut, {results_of({2, 3, 4, 5}), {2, 2}}).document["results"].Size(), 6u);
}

TEST(MergeSweeps, RefuseWhatIsOfAnotherSweep) {
  const Made first = {results_of({0, 1, 2}), {1, 2}};
  Made other = {results_of({3, 4, 5}), {2, 2}};
  other.load = "x";
  expect_refused(first, other,
                 "b.json: is a sweep of another load than a.json: workload is \"w\" there and "
                 "\"x\" here");
  other = {results_of({3, 4, 5}), {2, 2}};
  other.seed = "1";
  expect_refused(first, other, "with other settings than a.json: seed is \"0\" there and \"1\"");
  other.seed = "0";
  other.commit = "d";
  expect_refused(first, other, "made by another build than a.json: 1 d, not 1 c");
  other.commit = "c";
  other.grid = SettingsGrid({parse_axis("percentage=10,20,40"), parse_axis("seed=1,2")}, 100);
  expect_refused(first, other, "other axes or values");
}

TEST(MergeSweeps, RefuseDocumentsThatAreNoSweep) {
  rapidjson::Document document;
  document.Parse(R"({"format": "berth-bench/1", "results": []})");
  EXPECT_THAT([&] { read_sweep(document); }, ThrowsMessage<Error>(HasSubstr("is no sweep")));
  SweepPart part = part_of("a.json", {results_of({0, 1})});
  part.document["results"][0]["combination"] = 6;
  EXPECT_THAT([&] { read_sweep(part.document); },
              ThrowsMessage<Error>(HasSubstr("of no combination of the sweep")));
  part.document["results"][0]["combination"] = 1;
  EXPECT_THAT([&] { read_sweep(part.document); },
              ThrowsMessage<Error>(HasSubstr("two results are of combination 1")));
  part.document["sweep"]["axes"] = 1;
  EXPECT_THAT([&] { read_sweep(part.document); },
              ThrowsMessage<Error>(HasSubstr("expected a list as axes")));
  part.document["sweep"] = 1;
  EXPECT_THAT([&] { read_sweep(part.document); }, ThrowsMessage<Error>(HasSubstr("lacks")));
}

TEST(Objectives, AreReadByName) {
  EXPECT_EQ(parse_objective("utilisation", "--front").name, "utilisation:cpu");
  EXPECT_EQ(parse_objective("fragmentation:nvidia.com/gpu", "--front").resource, "nvidia.com/gpu");
  for (const char* wrong : {"", "refused:cpu", "utilisation:", "speed"})
    EXPECT_THROW(parse_objective(wrong, "--front"), UsageError) << wrong;
  EXPECT_THAT([] { parse_objective("refusal", "--front"); },
              ThrowsMessage<UsageError>(HasSubstr("did you mean \"refused\"?")));
  EXPECT_THAT(
      [] {
        SweepFigures::with_front({"refused", "refused"}, "--front");
      },
      ThrowsMessage<UsageError>(HasSubstr("lists refused twice")));
}

}  // namespace
}  // namespace berth::bench
