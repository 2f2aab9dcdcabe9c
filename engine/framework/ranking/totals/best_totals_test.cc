// Best totals that follow changes row by row are those that a look at all rows finds.

#include "engine/framework/ranking/totals/best_totals.h"

#include <gtest/gtest.h>

#include <random>

#include "engine/framework/evaluation/scores/kernels.h"

namespace berth::framework {
namespace {

constexpr size_t kBlocks = 130, kManyRows = kBlocks * kTotalBlock;  // three groups

struct Rows {
  std::vector<KeptTotal> total = std::vector<KeptTotal>(kManyRows);
  std::vector<RowClass> of = std::vector<RowClass>(kManyRows);
  RowBits open = RowBits(kBlocks);
  uint32_t classes = 1;

  bool is_open(size_t row) const { return (open[row / 64] >> row % 64 & 1) != 0; }
};

void expect_equal(const BestTotals& a, const BestTotals& b, uint32_t classes) {
  const auto compare = [&](const BlockBest* mine, const BlockBest* other, size_t count) {
    for (size_t i = 0; i < count; ++i)
      for (uint32_t of = 0; of < classes; ++of) {
        const BlockBest& one = mine[i * a.stride() + of];
        const BlockBest& anew = other[i * b.stride() + of];
        ASSERT_EQ(one.rows, anew.rows) << i;
        ASSERT_TRUE(one.rows == 0 || one.total == anew.total) << i;
      }
  };
  compare(a.blocks(), b.blocks(), kBlocks);
  compare(a.groups(), b.groups(), b.group_count());
  for (size_t block = 0; block < kBlocks; ++block) {
    uint64_t present = 0;
    for (uint32_t of = 0; of < classes; ++of)
      present |= uint64_t{a.blocks()[block * a.stride() + of].rows != 0} << of;
    ASSERT_EQ(a.present()[block], present) << block;
    ASSERT_EQ(b.present()[block], present) << block;
  }
}

BestTotals anew(const Rows& rows) {
  BestTotals made;
  made.resize(kBlocks);
  made.follow(rows.total.data(), rows.of.data(), rows.classes, rows.open, {});
  return made;
}

TEST(BestTotals, ChangesOfRowsGiveWhatALookAtAllGives) {
  std::mt19937_64 random(7);
  Rows rows;
  BestTotals best;
  best.resize(kBlocks);
  rows.classes = 3;
  for (size_t row = 0; row < kManyRows; ++row) {
    rows.total[row] = static_cast<KeptTotal>(random() % 4);
    rows.of[row] = static_cast<RowClass>(random() % rows.classes);
  }
  for (uint64_t& word : rows.open) word = random() & random();
  for (int round = 0; round < 400; ++round) {
    std::vector<uint32_t> blocks;
    const auto look = [&](size_t row) { blocks.push_back(static_cast<uint32_t>(row / 64)); };
    for (int i = 0; i < 40; ++i) {
      const size_t row = random() % kManyRows;
      const uint64_t kind = random() % 8;
      if (kind == 0) {
        rows.open[row / 64] ^= uint64_t{1} << row % 64;
        look(row);
      } else if (kind == 1) {
        rows.classes = std::max(rows.classes, static_cast<uint32_t>(round % 40 / 8 + 3));
        rows.of[row] = static_cast<RowClass>(random() % rows.classes);
        look(row);
      }
      const auto now = static_cast<KeptTotal>(random() % 4);
      if (rows.is_open(row))
        best.change(static_cast<model::Row>(row), rows.of[row], rows.total[row], now);
      rows.total[row] = now;
    }
    best.follow(rows.total.data(), rows.of.data(), rows.classes, rows.open, blocks);
    ASSERT_NO_FATAL_FAILURE(expect_equal(best, anew(rows), rows.classes)) << round;
    if (round % 50 == 49) best.forget();
  }
}

TEST(BestTotals, OfOneClassAreThoseOfRowsThatAllHaveIt) {
  std::mt19937_64 random(11);
  Rows rows;  // all of class 0
  for (KeptTotal& total : rows.total) total = static_cast<KeptTotal>(random() % 4);
  for (uint64_t& word : rows.open) word = random() % 3 == 0 ? ~uint64_t{0} : random() & random();
  BestTotals best;
  best.resize(kBlocks);
  best.follow(rows.total.data(), nullptr, 1, rows.open, {});
  ASSERT_NO_FATAL_FAILURE(expect_equal(best, anew(rows), 1));
}

TEST(BestTotals, OfOtherTotalsAreThoseOfSomeBlocks) {
  std::mt19937_64 random(13);
  for (const uint32_t classes : {1u, 3u}) {
    Rows rows;
    rows.classes = classes;
    for (RowClass& of : rows.of) of = static_cast<RowClass>(random() % classes);
    for (uint64_t& word : rows.open) word = random() & random();
    const RowClass* of_rows = classes == 1 ? nullptr : rows.of.data();
    BestTotals best;
    best.resize(kBlocks);
    best.follow(rows.total.data(), of_rows, classes, rows.open, {});
    for (KeptTotal& total : rows.total) total = static_cast<KeptTotal>(random() % 4);
    const BestTotals all = anew(rows);
    ASSERT_EQ(best.stride(), all.stride());
    std::vector<BlockBest> found(kBlocks * best.stride(), {7, 7});
    best.find(rows.total.data(), of_rows, rows.open, 5, 90, found.data());
    for (size_t i = 0; i < found.size(); ++i) {
      const size_t block = i / best.stride(), of = i % best.stride();
      if (of >= classes) continue;
      const bool looked = block >= 5 && block < 90;
      const BlockBest expected = looked ? all.blocks()[i] : BlockBest{7, 7};
      EXPECT_EQ(found[i].rows, expected.rows) << i;
      EXPECT_TRUE(found[i].rows == 0 || found[i].total == expected.total) << i;
    }
  }
}

}  // namespace
}  // namespace berth::framework
