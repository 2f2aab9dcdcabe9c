#include "loadgen/generate/draws/arrival_times.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "engine/base/error.h"
#include "loadgen/testing.h"

namespace berth::loadgen {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

std::string with_arrival(const std::string& arrival) {
  return head(
      "templates: [{name: a, template: {spec: {containers: [{name: c}]}}}]\n"
      "arrivals:\n- " +
      arrival + "\n");
}

std::vector<int64_t> times(const std::string& arrival, size_t most = SIZE_MAX) {
  const WorkloadSpec spec = parsed(with_arrival(arrival));
  ArrivalTimes from(spec.arrivals.at(0), 3, 0);
  std::vector<int64_t> list;
  for (; from.next() != kNever && list.size() < most; from.pop()) list.push_back(from.next());
  return list;
}

TEST(Arrivals, AtOnceComeAtTheStart) {
  EXPECT_EQ(times("{atOnce: {}, pods: 3, start: 2s}", 3),
            (std::vector<int64_t>{2 * kSecond, 2 * kSecond, 2 * kSecond}));
}

TEST(Arrivals, AtAConstantRateDoNotDrift) {
  const std::vector<int64_t> list = times("{constant: {rate: 3}, duration: 10s}");
  ASSERT_EQ(list.size(), 30u);
  EXPECT_EQ(list[1], 333'333'333);
  EXPECT_EQ(list[3], kSecond);
  EXPECT_EQ(list[27], 9 * kSecond);
}

TEST(Arrivals, OfAPoissonProcessHaveItsMeanAndDeviation) {
  const std::vector<int64_t> list = times("{poisson: {rate: 1000}, duration: 100s}");
  EXPECT_NEAR(static_cast<double>(list.size()), 100'000, 1'000);
  double squares = 0;
  for (size_t i = 1; i < list.size(); ++i) {
    const double gap = static_cast<double>(list[i] - list[i - 1]) / 1e6;
    squares += gap * gap;
  }
  // For an exponential distribution of mean 1 the mean of the square is 2.
  EXPECT_NEAR(squares / static_cast<double>(list.size()), 2, 0.05);
}

TEST(Arrivals, InBurstsComeTogether) {
  EXPECT_EQ(times("{bursts: {every: 1s, size: 3}, pods: 7}", 7),
            (std::vector<int64_t>{0, 0, 0, kSecond, kSecond, kSecond, 2 * kSecond}));
  std::vector<int64_t> list = times(
      "{bursts: {every: {exponential: {mean: 1s}}, size: {uniform: {min: 1, max: 9}}}, "
      "duration: 5000s}");
  EXPECT_NEAR(static_cast<double>(list.size()), 25'000, 1'000);
  list.erase(std::unique(list.begin(), list.end()), list.end());
  EXPECT_NEAR(static_cast<double>(list.size()), 5'000, 250);
}

TEST(Arrivals, OfADayFollowItsCurve) {
  const std::vector<int64_t> list =
      times("{daily: {rate: 100, period: 100s, curve: [0, 3, 0, 1]}, duration: 1000s}");
  EXPECT_NEAR(static_cast<double>(list.size()), 100'000, 1'500);
  std::vector<double> quarters(4);
  // Counts the arrivals nearest to each point of the curve.
  for (const int64_t time : list) ++quarters[(time + 25 * kSecond / 2) / (25 * kSecond) % 4];
  EXPECT_NEAR(quarters[1] / static_cast<double>(list.size()), 0.75 * 0.75, 0.01);
  EXPECT_NEAR(quarters[3] / static_cast<double>(list.size()), 0.25 * 0.75, 0.01);
  EXPECT_NEAR(quarters[0], quarters[2], 0.05 * quarters[0]);
}

TEST(Arrivals, AreReplayedFromAList) {
  EXPECT_EQ(times("{replay: {times: [0s, 500ms, 500ms, 2s]}, start: 1s}"),
            (std::vector<int64_t>{kSecond, 3 * kSecond / 2, 3 * kSecond / 2, 3 * kSecond}));
}

class ReplayFile : public testing::Test {
 protected:
  std::string write(const std::string& text) {
    path_ = testing::TempDir() + "berth-times-" + std::to_string(::getpid());
    std::ofstream(path_) << text;
    return "{replay: {file: " + path_ + "}}";
  }
  void TearDown() override { std::filesystem::remove(path_); }

  std::string problem(const std::string& text) {
    try {
      times(write(text));
    } catch (const Error& error) {
      return std::to_string(error.place().line) + ": " + error.message();
    }
    return {};
  }

  std::string path_;
};

TEST_F(ReplayFile, IsReadLineByLine) {
  EXPECT_EQ(times(write("# seconds\n0s\n\n1.5s\r\n2s")),
            (std::vector<int64_t>{0, 3 * kSecond / 2, 2 * kSecond}));
}

// The file is read in pieces; comments may begin and end anywhere within a piece.
TEST_F(ReplayFile, MayHaveLongComments) {
  std::string text;
  for (int i = 0; i < 3; ++i) {
    text += std::to_string(i) + "s\n#";
    for (int word = 0; word < 9'973; ++word) text += " 7s, 8s";
    text += '\n';
  }
  EXPECT_EQ(times(write(text)), (std::vector<int64_t>{0, kSecond, 2 * kSecond}));
}

TEST_F(ReplayFile, OfAnyLengthTakesNoMemory) {
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += std::to_string(i) + "ms\n";
  EXPECT_EQ(times(write(text)).size(), 50'000u);
}

TEST_F(ReplayFile, SaysWhatIsWrongInWhichLine) {
  EXPECT_EQ(problem("0s\nlater\n"), "2: expected a time such as 1.25s, found later");
  EXPECT_EQ(problem("5s\n1s\n"), "2: expected a time not before that of the line above, found 1s");
  EXPECT_EQ(problem(std::string(100'000, '1')).substr(0, 36),
            "1: expected a time such as 1.25s, fo");
}

TEST(Arrivals, OfAClosedLoopAreSteps) {
  const std::unique_ptr<Load> load =
      load_of(with_arrival("{closedLoop: {outstanding: 30}, pods: 100}"));
  LoadStep step;
  std::vector<size_t> sizes;
  while (load->next(step)) {
    if (step.pods.size() == 0) continue;
    EXPECT_TRUE(step.closed_loop);
    sizes.push_back(step.pods.size());
  }
  EXPECT_EQ(sizes, (std::vector<size_t>{30, 30, 30, 10}));
}

}  // namespace
}  // namespace berth::loadgen
