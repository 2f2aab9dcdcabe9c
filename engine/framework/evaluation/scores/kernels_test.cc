// The loops over rows against the plain words for what they do.

#include "engine/framework/evaluation/scores/kernels.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "berth/abi/filter.h"
#include "berth/abi/score.h"
#include "engine/base/draw.h"
#include "engine/framework/decision/decide.h"
#include "engine/framework/evaluation/scores/normalise.h"
#include "engine/framework/evaluation/scores/score_widths.h"

namespace berth::framework {
namespace {

constexpr int64_t kExact = int64_t{1} << 53;
constexpr uint32_t kKinds[] = {BERTH_NORMALISE_NONE, BERTH_NORMALISE_MAX,
                               BERTH_NORMALISE_MAX_REVERSED, BERTH_NORMALISE_MIN_MAX,
                               BERTH_NORMALISE_SPREAD};

Extremes extremes_of(const std::vector<int64_t>& raw, const std::vector<Refuser>& refusers) {
  std::vector<int64_t> total(raw.size());
  begin_totals(refusers.data(), total.data(), raw.size());
  Extremes of;
  extremes(raw.data(), total.data(), raw.size(), of);
  return of;
}

// The totals that add_normalised has to give at feasible rows.
int64_t expected(uint32_t kind, int64_t raw, const Extremes& of) {
  return raw == BERTH_NOT_SCORED ? 0 : normalised(kind, raw, of.minimum, of.maximum);
}

void check(uint32_t kind, const std::vector<int64_t>& raw, const std::vector<Refuser>& refusers,
           int64_t weight) {
  Extremes of = extremes_of(raw, refusers);
  if (of.minimum > of.maximum) return;
  // The host lets no other final scores through.
  if (kind == BERTH_NORMALISE_NONE && (of.minimum < 0 || of.maximum > kHighestScore)) return;
  std::vector<int64_t> final(raw.size()), total(raw.size(), 5);
  add_normalised(kind, raw.data(), of, weight, final.data(), total.data(), raw.size());
  std::vector<KeptTotal> kept(raw.size(), 5);
  add_normalised(kind, raw.data(), of, static_cast<KeptTotal>(weight), kept.data(), raw.size());
  for (size_t i = 0; i < raw.size(); ++i) {
    if (refusers[i] != kFeasible) continue;
    int64_t mine = expected(kind, raw[i], of);
    RC_ASSERT(total[i] == 5 + weight * mine);
    RC_ASSERT(kept[i] == total[i]);
  }
}

RC_GTEST_PROP(Kernels, NormaliseAsTheDefinitionSays, ()) {
  // Up to where 100 * raw still fits: the host lets no more through.
  int64_t bound =
      *rc::gen::element<int64_t>(1, 10, 101, 1000, 1 << 20, kExact / 400 - 1, kExact / 400 + 1,
                                 kExact / 100, kExact, INT64_MAX / 400);
  bool negative = *rc::gen::arbitrary<bool>();
  auto raw = *rc::gen::container<std::vector<int64_t>>(
      rc::gen::inRange<int64_t>(negative ? -bound : 0, bound + 1));
  for (int64_t& value : raw)
    if (*rc::gen::inRange(0, 20) == 0) value = bound;
  if (*rc::gen::arbitrary<bool>() && !raw.empty()) raw[raw.size() / 2] = BERTH_NOT_SCORED;
  std::vector<Refuser> refusers(raw.size());
  for (Refuser& refuser : refusers) refuser = static_cast<Refuser>(*rc::gen::inRange(0, 4) == 0);
  for (size_t i = 0; i < raw.size(); ++i)
    if (refusers[i] != kFeasible && *rc::gen::arbitrary<bool>()) raw[i] = INT64_MIN + 1;
  int64_t weight = *rc::gen::inRange<int64_t>(0, 101);
  for (uint32_t kind : kKinds) {
    Extremes of = extremes_of(raw, refusers);
    // Spread is of scores that are not negative, and so are the two by the maximum.
    if (kind != BERTH_NORMALISE_NONE && kind != BERTH_NORMALISE_MIN_MAX && of.minimum < 0) continue;
    check(kind, raw, refusers, weight);
  }
}

// Every quotient near an integer, where a division of doubles would be the first to go wrong.
TEST(Kernels, QuotientsAtTheEdges) {
  for (int64_t maximum : {int64_t{1}, int64_t{3}, int64_t{7}, int64_t{99}, int64_t{100},
                          int64_t{101}, int64_t{12345677}, kExact / 400 - 1, kExact / 400,
                          kExact / 400 + 1, kExact / 100 - 1, kExact - 1, kExact + 1}) {
    std::vector<int64_t> raw{0, maximum};
    for (int64_t percent = 0; percent <= 100; ++percent) {
      int64_t near =
          static_cast<int64_t>(static_cast<double>(maximum) / 100.0 * static_cast<double>(percent));
      for (int64_t value : {near - 1, near, near + 1})
        if (value >= 0 && value <= maximum) raw.push_back(value);
    }
    std::vector<Refuser> refusers(raw.size(), kFeasible);
    Extremes of = extremes_of(raw, refusers);
    for (uint32_t kind : kKinds) {
      if (kind == BERTH_NORMALISE_NONE && maximum > kHighestScore) continue;
      std::vector<int64_t> final(raw.size()), total(raw.size());
      add_normalised(kind, raw.data(), of, 1, final.data(), total.data(), raw.size());
      for (size_t i = 0; i < raw.size(); ++i)
        ASSERT_EQ(total[i], expected(kind, raw[i], of)) << kind << " " << raw[i] << "/" << maximum;
    }
  }
}

TEST(Normalise, Tables) {
  EXPECT_EQ(normalised(BERTH_NORMALISE_NONE, 42, 0, 50), 42);
  EXPECT_EQ(normalised(BERTH_NORMALISE_MAX, 1, 0, 3), 33);
  EXPECT_EQ(normalised(BERTH_NORMALISE_MAX, 3, 0, 3), 100);
  EXPECT_EQ(normalised(BERTH_NORMALISE_MAX, 0, 0, 0), 0);
  EXPECT_EQ(normalised(BERTH_NORMALISE_MAX_REVERSED, 1, 0, 3), 67);
  EXPECT_EQ(normalised(BERTH_NORMALISE_MAX_REVERSED, 3, 0, 3), 0);
  EXPECT_EQ(normalised(BERTH_NORMALISE_MAX_REVERSED, 0, 0, 0), 100);
  EXPECT_EQ(normalised(BERTH_NORMALISE_MIN_MAX, -5, -10, 5), 33);
  EXPECT_EQ(normalised(BERTH_NORMALISE_MIN_MAX, 7, 7, 7), 0);
  EXPECT_EQ(normalised(BERTH_NORMALISE_MIN_MAX, 29, 0, 100), 28);
  EXPECT_EQ(normalised(BERTH_NORMALISE_MIN_MAX, 100, 0, 100), 100);
  EXPECT_EQ(normalised(BERTH_NORMALISE_SPREAD, 2, 2, 4), 100);
  EXPECT_EQ(normalised(BERTH_NORMALISE_SPREAD, 4, 2, 4), 50);
  EXPECT_EQ(normalised(BERTH_NORMALISE_SPREAD, 0, 0, 0), 100);
}

RC_GTEST_PROP(Kernels, RefuseTakesTheFirst, (const std::vector<uint8_t>& noise)) {
  std::vector<Refuser> refusers(noise.size());
  std::vector<uint8_t> codes(noise.size()), verdicts(noise.size());
  std::vector<Refuser> first(noise.size(), kFeasible);
  std::vector<uint8_t> code(noise.size(), 0);
  for (Refuser filter = 1; filter <= 3; ++filter) {
    for (size_t i = 0; i < noise.size(); ++i) {
      uint8_t bits = static_cast<uint8_t>(noise[i] >> (filter * 2));
      verdicts[i] = (bits & 1) != 0 ? static_cast<uint8_t>(1 + (bits & 3) % 3) : uint8_t{0};
      if (first[i] == kFeasible && verdicts[i] != 0) {
        first[i] = filter;
        code[i] = verdicts[i];
      }
    }
    refuse(verdicts.data(), filter, refusers.data(), codes.data(), noise.size());
  }
  RC_ASSERT(refusers == first);
  RC_ASSERT(codes == code);
  RC_ASSERT(count_feasible(refusers.data(), refusers.size()) ==
            static_cast<size_t>(std::count(first.begin(), first.end(), kFeasible)));
  bool error = false;
  for (size_t i = 0; i < noise.size(); ++i) error |= code[i] == BERTH_ERROR;
  RC_ASSERT(any_error(refusers.data(), codes.data(), codes.size()) == error);
}

TEST(Kernels, CountMoreThanAByteHolds) {
  std::vector<Refuser> refusers(1000, kFeasible);
  EXPECT_EQ(count_feasible(refusers.data(), 1000), 1000u);
  refusers[999] = 1;
  EXPECT_EQ(count_feasible(refusers.data(), 1000), 999u);
  EXPECT_EQ(count_feasible(refusers.data(), 0), 0u);
}

TEST(Kernels, ExpandCodes) {
  const std::vector<uint32_t> codes{2, 0, 2, 1};
  const std::vector<uint8_t> bytes{7, 8, 9};
  const std::vector<int64_t> numbers{-1, 0, INT64_MAX};
  std::vector<uint8_t> out(4);
  std::vector<int64_t> wide(4);
  expand(codes.data(), bytes.data(), out.data(), 4);
  expand(codes.data(), numbers.data(), wide.data(), 4);
  EXPECT_EQ(out, (std::vector<uint8_t>{9, 7, 9, 8}));
  EXPECT_EQ(wide, (std::vector<int64_t>{INT64_MAX, -1, INT64_MAX, 0}));
}

TEST(Kernels, ExtremesOfFeasibleRowsAlone) {
  const std::vector<int64_t> raw{5, 900, BERTH_NOT_SCORED, -3, -900};
  Extremes of = extremes_of(raw, {0, 1, 0, 0, 2});
  EXPECT_EQ(of.minimum, -3);
  EXPECT_EQ(of.maximum, 5);
  EXPECT_TRUE(of.unscored);
  of = extremes_of(raw, {0, 1, 1, 0, 2});
  EXPECT_FALSE(of.unscored);
  of = extremes_of(raw, {1, 1, 0, 1, 1});
  EXPECT_GT(of.minimum, of.maximum);
  EXPECT_TRUE(of.unscored);
}

TEST(Kernels, RowsCountWithTotalsBelowZero) {
  const std::vector<int64_t> raw{5, 900, 7};
  const std::vector<int64_t> total{-100 * int64_t{INT32_MAX}, kRefusedTotal + 100, -1};
  Extremes of;
  extremes(raw.data(), total.data(), raw.size(), of);
  EXPECT_EQ(of.minimum, 5);
  EXPECT_EQ(of.maximum, 7);
}

TEST(Kernels, ExtremesOfAllRows) {
  Extremes of;
  const std::vector<int64_t> raw{5, 900, -3};
  extremes_of_all(raw.data(), raw.size(), of);
  EXPECT_EQ(of.minimum, -3);
  EXPECT_EQ(of.maximum, 900);
  EXPECT_FALSE(of.unscored);
  const int64_t none = BERTH_NOT_SCORED;
  extremes_of_all(&none, 1, of);
  EXPECT_TRUE(of.unscored);
}

TEST(Kernels, TotalsOfRefusedRowsStayLow) {
  const std::vector<Refuser> refusers{0, 1, 0, 2};
  std::vector<int64_t> total(4, 77);
  begin_totals(refusers.data(), total.data(), 4);
  EXPECT_EQ(total, (std::vector<int64_t>{0, kRefusedTotal, 0, kRefusedTotal}));
  const std::vector<int64_t> raw{100, INT64_MAX, 0, INT64_MIN};
  for (int i = 0; i < 1000; ++i) static_cast<void>(add_raw(raw.data(), INT32_MAX, total.data(), 4));
  EXPECT_EQ(total[0], 100'000 * int64_t{INT32_MAX});
  EXPECT_LT(total[1], kRefusedTotal / 2);
  EXPECT_LT(total[3], kRefusedTotal / 2);
}

TEST(Kernels, ScoresThatAreFinalAreAddedAndTakenBack) {
  for (int64_t weight : {1, 3}) {
    std::vector<int64_t> raw{0, 1, 99, 100};
    std::vector<int64_t> total(4, 7);
    EXPECT_TRUE(add_raw(raw.data(), weight, total.data(), 4));
    for (size_t i = 0; i < 4; ++i) EXPECT_EQ(total[i], 7 + weight * raw[i]);
    for (int64_t outside : {int64_t{-1}, int64_t{101}, int64_t{128}, INT64_MAX, INT64_MAX - 27,
                            INT64_MIN, INT64_MIN + 100, int64_t{1} << 62, BERTH_NOT_SCORED}) {
      raw[2] = outside;
      const std::vector<int64_t> before = total;
      EXPECT_FALSE(add_raw(raw.data(), weight, total.data(), 4)) << outside;
      static_cast<void>(add_raw(raw.data(), -weight, total.data(), 4));
      EXPECT_EQ(total, before) << outside;
    }
  }
}

// Scores go to a narrower type and back, where those at its ends fit and their neighbours do not.
template <typename Score>
void expect_to_fit_exactly() {
  using Limits = std::numeric_limits<Score>;
  std::vector<int64_t> raw(200), back(raw.size());
  for (size_t i = 0; i < raw.size(); ++i) raw[i] = static_cast<int64_t>(i % 101);
  raw[0] = Limits::min();
  raw[199] = raw[150] = Limits::max();
  std::vector<Score> narrow(raw.size());
  ASSERT_TRUE(shorten(raw.data(), narrow.data(), raw.size()));
  lengthen(narrow.data(), back.data(), back.size());
  EXPECT_EQ(back, raw);
  for (const int64_t other :
       {int64_t{Limits::max()} + 1, int64_t{Limits::min()} - 1, INT64_MIN, INT64_MAX}) {
    raw[150] = other;
    EXPECT_FALSE(shorten(raw.data(), narrow.data(), raw.size())) << other;
  }
}

TEST(Kernels, OneScoreThatIsNotZeroIsFound) {
  for (const size_t count : {1, 7, 64, 200}) {
    std::vector<int64_t> raw(count);
    EXPECT_TRUE(all_zero(raw.data(), count)) << count;
    for (int64_t& one : raw)
      for (const int64_t other : {int64_t{1}, int64_t{-1}, INT64_MIN}) {
        one = other;
        EXPECT_FALSE(all_zero(raw.data(), count)) << other;
        one = 0;
      }
  }
  EXPECT_TRUE(all_zero(nullptr, 0));
}

TEST(Kernels, OneScoreOutOfRangeIsFound) {
  for (const size_t count : {1, 7, 64, 200}) {
    std::vector<int64_t> raw(count, 100);
    std::vector<uint8_t> bytes(count, 100);
    raw[0] = bytes[0] = 0;
    EXPECT_TRUE(all_in_range(raw.data(), count)) << count;
    EXPECT_TRUE(all_in_range(bytes.data(), count)) << count;
    for (int64_t& one : raw)
      for (const int64_t other : {int64_t{-1}, int64_t{101}, INT64_MIN, INT64_MAX}) {
        const int64_t before = std::exchange(one, other);
        EXPECT_FALSE(all_in_range(raw.data(), count)) << other;
        one = before;
      }
    for (uint8_t& one : bytes)
      for (const uint8_t other : {uint8_t{101}, uint8_t{255}}) {
        const uint8_t before = std::exchange(one, other);
        EXPECT_FALSE(all_in_range(bytes.data(), count)) << int{other};
        one = before;
      }
  }
}

TEST(Kernels, ScoresInNarrowerTypes) {
  expect_to_fit_exactly<uint8_t>();
  expect_to_fit_exactly<int16_t>();
  expect_to_fit_exactly<int32_t>();
}

template <typename Score>
void expect_sums() {
  std::vector<Score> raw(200);
  std::vector<KeptTotal> total(raw.size(), 5);
  for (size_t i = 0; i < raw.size(); ++i) raw[i] = static_cast<Score>(i % 101);
  add_raw(raw.data(), 3, total.data(), total.size());
  for (size_t i = 0; i < raw.size(); ++i)
    EXPECT_EQ(total[i], 5 + 3 * static_cast<KeptTotal>(raw[i]));
  add_raw(raw.data(), -2, total.data(), total.size());
  for (size_t i = 0; i < raw.size(); ++i) EXPECT_EQ(total[i], 5 + static_cast<KeptTotal>(raw[i]));
}

TEST(Kernels, SumsOfScoresInEachType) {
  expect_sums<uint8_t>();
  expect_sums<int16_t>();
  expect_sums<int32_t>();
  expect_sums<int64_t>();
}

TEST(Kernels, TheHighestOfBlocksAndHowMany) {
  std::vector<int64_t> total(130);
  for (size_t i = 0; i < total.size(); ++i) total[i] = static_cast<int64_t>(i) % 50 - 60;
  total[64] = 7;
  total[127] = 7;
  std::vector<int64_t> highest(3);
  highest_of_blocks(total.data(), total.size(), highest.data());
  EXPECT_EQ(highest, (std::vector<int64_t>{-11, 7, -31}));
  EXPECT_EQ(count_equal(total.data(), 7, total.size()), 2u);
  EXPECT_EQ(count_equal(total.data(), 900, total.size()), 0u);
}

TEST(Kernels, EqualBitsNameTheRows) {
  std::vector<int64_t> total(64);
  for (size_t i = 0; i < total.size(); ++i) total[i] = static_cast<int64_t>(i * i % 11);
  for (int64_t value = -1; value < 11; ++value) {
    uint64_t expected = 0;
    for (size_t i = 0; i < total.size(); ++i) expected |= uint64_t{total[i] == value} << i;
    EXPECT_EQ(equal_bits(total.data(), value), expected) << value;
    const std::vector<KeptTotal> kept(total.begin(), total.end());
    EXPECT_EQ(equal_bits(kept.data(), value), expected) << value;
  }
}

TEST(Kernels, PassRowsStopsAtTheNextRowAfterSoMany) {
  std::vector<uint64_t> words(5);
  for (size_t i = 0; i < words.size(); ++i)
    words[i] = i == 2 ? 0 : i == 3 ? ~uint64_t{0} : mix(i + 1);
  constexpr model::Row kRows = 5 * 64;
  for (model::Row begin = 0; begin <= kRows; begin += 7)
    for (model::Row end = begin; end <= kRows; end += 5)
      for (const uint32_t most : {0u, 1u, 20u, 64u, 100u, 500u}) {
        uint32_t left = most;
        model::Row plainly = begin;
        for (; plainly < end; ++plainly) {
          const bool set = (words[plainly / 64] >> plainly % 64 & 1) != 0;
          if (set && left == 0) break;
          left -= set;
        }
        uint32_t taken_from = most;
        ASSERT_EQ(pass_rows(words.data(), begin, end, taken_from), plainly) << begin << " " << most;
        ASSERT_EQ(taken_from, left) << begin << " " << end << " " << most;
      }
}

TEST(Kernels, CountEqualLooksAtSomeRows) {
  std::vector<KeptTotal> total(64, 3);
  total[0] = total[17] = total[63] = 5;
  EXPECT_EQ(count_equal(total.data(), 5, ~uint64_t{0}), 3u);
  EXPECT_EQ(count_equal(total.data(), 5, ~uint64_t{1}), 2u);
  EXPECT_EQ(count_equal(total.data(), 5, 0), 0u);
  EXPECT_EQ(count_equal(total.data(), int64_t{5} + (int64_t{1} << 32), ~uint64_t{0}), 0u);
}

TEST(NodesToFind, Table) {
  // percentage, nodes, how many; the adaptive rule for 0.
  EXPECT_EQ(nodes_to_find(0, 0), 0u);
  EXPECT_EQ(nodes_to_find(0, 99), 99u);
  EXPECT_EQ(nodes_to_find(1, 99), 99u);
  EXPECT_EQ(nodes_to_find(0, 100), 100u);
  EXPECT_EQ(nodes_to_find(0, 150), 100u);
  EXPECT_EQ(nodes_to_find(0, 1000), 420u);  // 50 - 8 = 42 %
  EXPECT_EQ(nodes_to_find(0, 5000), 500u);  // 50 - 40 = 10 %
  EXPECT_EQ(nodes_to_find(0, 5625), 281u);  // 50 - 45 = 5 %
  EXPECT_EQ(nodes_to_find(0, 6000), 300u);  // not below 5 %
  EXPECT_EQ(nodes_to_find(0, 100'000), 5000u);
  EXPECT_EQ(nodes_to_find(10, 1000), 100u);
  EXPECT_EQ(nodes_to_find(9, 1000), 100u);   // at least 100
  EXPECT_EQ(nodes_to_find(40, 1001), 400u);  // rounded down
  EXPECT_EQ(nodes_to_find(100, 1000), 1000u);
  EXPECT_EQ(nodes_to_find(100, 4'000'000'000u), 4'000'000'000u);
}

// A block of rows with few different totals, and bits for some of them.
std::vector<KeptTotal> few_totals() {
  return *rc::gen::container<std::vector<KeptTotal>>(64, rc::gen::inRange<KeptTotal>(-2, 3));
}

uint64_t some_none_or_all() {
  constexpr uint64_t kNone = 0, kAll = ~kNone;
  return *rc::gen::oneOf(rc::gen::arbitrary<uint64_t>(), rc::gen::element(kNone, kAll));
}

RC_GTEST_PROP(BestOf, IsTheHighestOfTheRowsThatCount, ()) {
  const std::vector<KeptTotal> total = few_totals();
  const uint64_t rows = some_none_or_all();
  const auto count = *rc::gen::inRange<RowClass>(1, 12);
  const auto classes =
      *rc::gen::container<std::vector<RowClass>>(64, rc::gen::inRange<RowClass>(0, count));
  BlockBest plain{INT64_MIN, 0};
  std::vector<BlockBest> by_class(count, plain), made(count);
  const auto take = [](int64_t one, BlockBest& best) {
    if (one > best.total) best = {one, 0};
    if (one == best.total) ++best.rows;
  };
  for (size_t i = 0; i < 64; ++i) {
    if ((rows >> i & 1) == 0) continue;
    take(total[i], plain);
    take(total[i], by_class[classes[i]]);
  }
  const BlockBest found = best_of(total.data(), rows);
  RC_ASSERT(found.total == plain.total);
  RC_ASSERT(found.rows == plain.rows);
  best_of(total.data(), classes.data(), rows, made.data(), count);
  for (size_t of = 0; of < count; ++of) {
    RC_ASSERT(made[of].total == by_class[of].total);
    RC_ASSERT(made[of].rows == by_class[of].rows);
  }
}

RC_GTEST_PROP(BestOf, OfSeveralBlocksIsThatOfEach, ()) {
  constexpr size_t kBlocks = 3;
  std::vector<KeptTotal> total;
  std::array<uint64_t, kBlocks> rows;
  for (uint64_t& block : rows) {
    const std::vector<KeptTotal> more = few_totals();
    total.insert(total.end(), more.begin(), more.end());
    block = some_none_or_all();
  }
  std::array<BlockBest, kBlocks> made;
  best_of_blocks(total.data(), rows.data(), kBlocks, made.data());
  for (size_t block = 0; block < kBlocks; ++block) {
    const BlockBest one = best_of(total.data() + block * kTotalBlock, rows[block]);
    RC_ASSERT(made[block].total == one.total);
    RC_ASSERT(made[block].rows == one.rows);
  }
}

// Of the scores whose bit is set.
template <typename Score>
Extremes plain_extremes(const std::vector<Score>& raw, uint64_t rows) {
  Extremes plain;
  for (size_t i = 0; i < raw.size(); ++i) {
    if ((rows >> i & 1) == 0) continue;
    if (raw[i] == BERTH_NOT_SCORED) {
      plain.unscored = true;
      continue;
    }
    plain.minimum = std::min<int64_t>(plain.minimum, raw[i]);
    plain.maximum = std::max<int64_t>(plain.maximum, raw[i]);
  }
  return plain;
}

RC_GTEST_PROP(ExtremesOf, AreThoseOfTheRowsThatCount, ()) {
  const std::vector<KeptTotal> few = few_totals();
  std::vector<int64_t> raw(few.begin(), few.end());
  for (int64_t& one : raw)
    if (one == -2 && *rc::gen::inRange(0, 4) == 0) one = BERTH_NOT_SCORED;
  const auto rows = *rc::gen::arbitrary<uint64_t>();
  const Extremes found = framework::extremes_of(raw.data(), rows);
  const Extremes plain = plain_extremes(raw, rows);
  RC_ASSERT(found.minimum == plain.minimum);
  RC_ASSERT(found.maximum == plain.maximum);
  RC_ASSERT(found.unscored == plain.unscored);
}

RC_GTEST_PROP(ExtremesOf, OfBytesAreThoseOfTheRowsThatCount, ()) {
  const auto raw = *rc::gen::container<std::vector<uint8_t>>(64, rc::gen::arbitrary<uint8_t>());
  for (const uint64_t rows :
       {*rc::gen::arbitrary<uint64_t>(), uint64_t{0}, ~uint64_t{0}, uint64_t{1} << raw[0] % 64})
    RC_ASSERT(framework::extremes_of(raw.data(), rows) == plain_extremes(raw, rows));
}

RC_GTEST_PROP(SettleClass, TheFirstFilterCounts, ()) {
  const auto count = *rc::gen::inRange<size_t>(1, 200);
  const auto bytes = [&](uint8_t below) {
    return *rc::gen::container<std::vector<uint8_t>>(count, rc::gen::inRange<uint8_t>(0, below));
  };
  const std::vector<uint8_t> classes = bytes(3), own = bytes(5), own_code = bytes(4);
  const std::vector<uint8_t> refusers = bytes(5), codes = bytes(4);
  const auto refuser = *rc::gen::inRange<uint8_t>(0, 5), code = *rc::gen::inRange<uint8_t>(0, 4);
  std::vector<uint8_t> made = refusers, made_codes = codes;
  settle_class(classes.data(), 1, refuser, code, own.data(), own_code.data(), made.data(),
               made_codes.data(), count);
  for (size_t i = 0; i < count; ++i) {
    const bool by_class = refuser != kFeasible && (own[i] == kFeasible || refuser < own[i]);
    const uint8_t expected = by_class ? refuser : own[i];
    RC_ASSERT(made[i] == (classes[i] == 1 ? expected : refusers[i]));
    RC_ASSERT(made_codes[i] == (classes[i] != 1 ? codes[i] : by_class ? code : own_code[i]));
  }
}

}  // namespace
}  // namespace berth::framework
