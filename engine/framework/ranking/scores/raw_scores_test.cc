// Raw scores are the same in each width, and take no more than the widest one needs.

#include "engine/framework/ranking/scores/raw_scores.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <variant>
#include <vector>

namespace berth::framework {
namespace {

constexpr size_t kScored = 128;

// A score, and the bytes of each if it is the widest one.
struct Widest {
  int64_t score;
  size_t bytes;
};
constexpr std::array kWidest = {Widest{0, 0},
                                Widest{1, 1},
                                Widest{UINT8_MAX, 1},
                                Widest{UINT8_MAX + 1, 2},
                                Widest{-1, 2},
                                Widest{INT16_MAX, 2},
                                Widest{INT16_MIN, 2},
                                Widest{INT16_MAX + 1, 4},
                                Widest{INT16_MIN - 1, 4},
                                Widest{INT32_MAX, 4},
                                Widest{INT32_MIN, 4},
                                Widest{INT32_MAX + int64_t{1}, 8},
                                Widest{INT32_MIN - int64_t{1}, 8},
                                Widest{INT64_MAX, 8},
                                Widest{INT64_MIN, 8}};

RawScores zeros() {
  RawScores scores;
  scores.resize(kScored);
  return scores;
}

// Each row has its number.
RawScores counting() {
  RawScores scores = zeros();
  for (model::Row row = 0; row < kScored; ++row) scores.set(row, row);
  return scores;
}

// All ways in which a row gets a score.
std::vector<RawScores> set_each_way(const RawScores& before, model::Row row, int64_t score) {
  std::vector<RawScores> ways(3, before);
  const std::array raw = {before[row - 1], score, before[row + 1]};
  const std::array rows = {row - 1, row, row + 1};
  ways[0].set(row, score);
  ways[1].set_all(row - 1, raw);
  ways[2].set_some(rows, raw);
  return ways;
}

void expect_scores(const RawScores& scores, const std::vector<int64_t>& expected) {
  std::vector<int64_t> written(kScored, 7), room(kScored);
  scores.write(10, 20, written.data());
  for (model::Row row = 0; row < kScored; ++row) {
    EXPECT_EQ(scores[row], expected[row]) << row;
    EXPECT_EQ(written[row], row < 10 ? expected[10 + row] : 7) << row;
  }
  const int64_t* const wide = scores.wide(64, kScored, room.data());
  EXPECT_EQ(std::vector(wide, wide + 64), std::vector(expected.begin() + 64, expected.end()));
  EXPECT_EQ(scores.extremes(1, 0), Extremes{});
  for (const uint64_t rows : {~uint64_t{0}, uint64_t{0x8421}, uint64_t{1} << 63})
    EXPECT_EQ(scores.extremes(1, rows), framework::extremes_of(expected.data() + 64, rows)) << rows;
  EXPECT_FALSE(scores.differ(0, expected));
  std::vector<int64_t> other = expected;
  ++other[100];
  EXPECT_TRUE(scores.differ(0, other));
  EXPECT_FALSE(scores.differ(0, std::span(other).first(100)));
}

std::vector<int64_t> numbers() {
  std::vector<int64_t> numbers(kScored);
  for (size_t row = 0; row < kScored; ++row) numbers[row] = static_cast<int64_t>(row);
  return numbers;
}

TEST(RawScores, TakeTheBytesOfTheWidest) {
  for (const auto& [score, bytes] : kWidest) {
    std::vector<int64_t> expected(kScored);
    expected[5] = score;
    for (const RawScores& scores : set_each_way(zeros(), 5, score)) {
      expect_scores(scores, expected);
      EXPECT_EQ(scores.bytes(), kScored * bytes) << score;
      EXPECT_EQ(scores.zero(), bytes == 0) << score;
      EXPECT_EQ(scores.wide() != nullptr, bytes == 8) << score;
    }
  }
}

TEST(RawScores, OneThatDoesNotFitWidensAll) {
  for (const auto& [score, bytes] : kWidest) {
    std::vector<int64_t> expected = numbers();
    expected[15] = score;
    for (RawScores& scores : set_each_way(counting(), 15, score)) {
      expect_scores(scores, expected);
      EXPECT_EQ(scores.bytes(), kScored * std::max<size_t>(bytes, 1)) << score;
      scores.set(15, 15);  // they stay as wide
      expect_scores(scores, numbers());
      EXPECT_EQ(scores.bytes(), kScored * std::max<size_t>(bytes, 1)) << score;
    }
  }
}

TEST(RawScores, TellWhetherTheyAreInRange) {
  constexpr int64_t kHighest = 100;
  EXPECT_TRUE(zeros().in_range(kScored));
  for (const auto& [score, bytes] : kWidest) {
    RawScores scores = zeros();
    scores.set(90, score);
    EXPECT_EQ(scores.in_range(kScored), score >= 0 && score <= kHighest) << score;
    EXPECT_TRUE(scores.in_range(90)) << score;
    scores.set(90, kHighest);
    EXPECT_TRUE(scores.in_range(kScored)) << "in the width of " << score;
  }
}

TEST(RawScores, AreReadWhereTheyAreKept) {
  for (const Widest& widest : kWidest) {
    if (widest.bytes == 0) continue;
    RawScores scores = counting();
    scores.set(15, widest.score);
    std::visit(
        [&]<typename Score>(const Score* by_row) {
          EXPECT_EQ(sizeof(Score), widest.bytes);
          for (model::Row row = 0; row < kScored; ++row) EXPECT_EQ(by_row[row], scores[row]);
        },
        scores.by_row());
  }
}

TEST(RawScores, ManyOfSomeRows) {
  std::vector<int64_t> raw;
  std::vector<model::Row> rows;
  RawScores scores;
  scores.resize(3000);
  for (model::Row row = 0; row < 3000; row += 2) {
    rows.push_back(row);
    raw.push_back(row == 2998 ? -70'000 : int64_t{row % 200});  // the last one is wider
  }
  scores.set_some(rows, raw);
  for (size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(scores[rows[i]], raw[i]);
    EXPECT_EQ(scores[rows[i] + 1], 0);
  }
  EXPECT_EQ(scores.bytes(), 3000u * 4);
}

TEST(RawScores, KeepTheirWidthInMoreRows) {
  RawScores scores = counting();
  scores.set(3, -1);
  scores.resize(2 * kScored);
  EXPECT_EQ(scores[3], -1);
  EXPECT_EQ(scores[kScored - 1], int64_t{kScored} - 1);
  EXPECT_EQ(scores[2 * kScored - 1], 0);
}

TEST(RawScores, MoveInEachWidth) {
  for (const auto& [score, bytes] : kWidest) {
    RawScores scores = counting();
    scores.set(15, score);
    model::RowShift comes{};
    comes.comes = true;
    comes.at = 10;
    comes.rows = kScored - 1;
    model::BlockBits differ(1);
    scores.move(comes, differ);
    EXPECT_EQ(scores[9], 9);
    EXPECT_EQ(scores[11], 10);
    EXPECT_EQ(scores[16], score);
    EXPECT_EQ(scores[kScored - 1], int64_t{kScored} - 2);
  }
}

}  // namespace
}  // namespace berth::framework
