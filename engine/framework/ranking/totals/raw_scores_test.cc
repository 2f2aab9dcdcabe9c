// Raw scores are the same in both widths.

#include "engine/framework/ranking/totals/raw_scores.h"

#include <gtest/gtest.h>

#include <array>

namespace berth::framework {
namespace {

constexpr size_t kScored = 128;

RawScores narrow_scores() {
  RawScores scores;
  scores.resize(kScored);
  for (model::Row row = 0; row < kScored; ++row) scores.set(row, row);
  return scores;
}

void expect_counting(const RawScores& scores, model::Row but) {
  for (model::Row row = 0; row < kScored; ++row) {
    if (row == but) continue;
    EXPECT_EQ(scores[row], row);
  }
}

TEST(RawScores, ThoseThatFitTakeAByte) {
  RawScores scores = narrow_scores();
  EXPECT_NE(scores.narrow(), nullptr);
  EXPECT_EQ(scores.wide(), nullptr);
  EXPECT_EQ(scores.bytes(), kScored);
  expect_counting(scores, kScored);
  scores.set(3, UINT8_MAX);
  EXPECT_NE(scores.narrow(), nullptr);
  EXPECT_EQ(scores[3], UINT8_MAX);
}

TEST(RawScores, OneThatDoesNotFitMakesAllWide) {
  for (const int64_t large : {int64_t{UINT8_MAX} + 1, int64_t{-1}, INT64_MIN, INT64_MAX}) {
    RawScores scores = narrow_scores();
    scores.set(5, large);
    EXPECT_EQ(scores.narrow(), nullptr);
    EXPECT_NE(scores.wide(), nullptr);
    EXPECT_EQ(scores[5], large);
    expect_counting(scores, 5);
    scores.set(5, 5);  // it stays wide
    EXPECT_EQ(scores.narrow(), nullptr);
    expect_counting(scores, kScored);
  }
}

TEST(RawScores, TakeNoMemoryWhileAllAreZero) {
  const std::array<int64_t, 3> zeros{}, some{0, 3, 0};
  const std::array<model::Row, 3> rows{5, 6, 7};
  for (const bool wide : {false, true}) {
    RawScores scores(wide);
    scores.resize(kScored);
    scores.set(3, 0);
    scores.set_all(64, zeros);
    scores.set_some(rows, zeros);
    EXPECT_TRUE(scores.zero());
    EXPECT_EQ(scores.bytes(), 0u);
    EXPECT_EQ(scores.narrow(), nullptr);
    EXPECT_EQ(scores.wide(), nullptr);
    EXPECT_EQ(scores[3], 0);
    EXPECT_FALSE(scores.differ(64, zeros));
    EXPECT_TRUE(scores.differ(64, some));
    std::array<int64_t, kScored> written;
    written.fill(7);
    scores.write(1, 3, written.data());
    EXPECT_EQ(written[0] + written[1] + written[2] + written[3], 14);
    for (const int way : {0, 1, 2}) {
      RawScores other = scores;
      if (way == 0) other.set(6, 3);
      if (way == 1) other.set_all(5, some);
      if (way == 2) other.set_some(rows, some);
      EXPECT_FALSE(other.zero());
      EXPECT_EQ(other.wide() != nullptr, wide);
      EXPECT_EQ(other.narrow() != nullptr, !wide);
      for (model::Row row = 0; row < kScored; ++row) EXPECT_EQ(other[row], row == 6 ? 3 : 0);
    }
  }
}

TEST(RawScores, ManyAtOnce) {
  RawScores scores = narrow_scores();
  const std::array<int64_t, 3> small{7, 0, 100}, large{1, int64_t{1} << 40, 2};
  EXPECT_TRUE(scores.differ(64, small));
  scores.set_all(64, small);
  EXPECT_FALSE(scores.differ(64, small));
  EXPECT_EQ(scores[66], 100);
  EXPECT_EQ(scores[67], 67);
  EXPECT_TRUE(scores.differ(64, large));
  scores.set_all(64, large);
  EXPECT_EQ(scores.narrow(), nullptr);
  EXPECT_FALSE(scores.differ(64, large));
  EXPECT_EQ(scores[65], int64_t{1} << 40);
  EXPECT_EQ(scores[63], 63);
  EXPECT_EQ(scores[67], 67);
}

TEST(RawScores, AreWrittenWideFromBothWidths) {
  for (const bool wide : {false, true}) {
    RawScores scores(wide);
    scores.resize(kScored);
    for (model::Row row = 0; row < kScored; ++row) scores.set(row, 2 * row % 101);
    std::array<int64_t, kScored> written{};
    scores.write(10, 20, written.data());
    for (model::Row row = 0; row < kScored; ++row)
      EXPECT_EQ(written[row], row >= 10 && row < 20 ? 2 * row % 101 : 0);
  }
}

}  // namespace
}  // namespace berth::framework
