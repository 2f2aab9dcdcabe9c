#include "engine/framework/evaluation/scores/kernels.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "berth/abi/score.h"
#include "engine/base/bits.h"
#include "engine/base/vectorise.h"
#include "engine/framework/evaluation/scores/normalise.h"

namespace berth::framework {
namespace {

// Integer division by one number has no vector form; division of doubles has. The quotient of two
// integers below 2^53 rounds to an integer only if it is one: a quotient that is not differs from
// the next integer by at least 1 / divisor > 2^-53 of it, more than half a unit in the last place
// of any quotient below 2^53 / divisor, and ours are at most 100. So truncating is exact. Numbers
// are kept below 2^51, where adding kShift to the bits of an integer makes a double of it: a
// conversion that processors without AVX-512 have no instruction for.
constexpr int64_t kExactInDouble = int64_t{1} << 51;
constexpr double kShift = 6755399441055744.0;  // 2^52 + 2^51

inline double to_double(int64_t small) {
  return std::bit_cast<double>(small + std::bit_cast<int64_t>(kShift)) - kShift;
}

bool exact(const Extremes& of) {
  constexpr int64_t kLimit = kExactInDouble / (2 * kHighestScore);
  return of.minimum > -kLimit && of.maximum < kLimit && !of.unscored;
}

// shift + sign * (100 * (factor * raw + offset) / divisor), truncated as int64 division is. Rows
// that were refused may hold anything, so every raw score is first brought between the extremes.
BERTH_VECTORISE
void scale(const int64_t* raw, const Extremes& of, int64_t factor, int64_t offset, int64_t divisor,
           int64_t sign, int64_t shift, int64_t* final, size_t count) {
  // 100 times the integers, in doubles: all below 2^51 as exact() says, so no step rounds.
  const double by = to_double(divisor), times = to_double(kHighestScore * factor);
  const double add = to_double(kHighestScore * offset);
  const int64_t low = of.minimum, high = of.maximum;
  const auto sign32 = static_cast<int32_t>(sign), shift32 = static_cast<int32_t>(shift);
  for (size_t i = 0; i < count; ++i) {
    int64_t within = raw[i] < low ? low : raw[i] > high ? high : raw[i];
    final[i] = shift32 + sign32 * static_cast<int32_t>((times * to_double(within) + add) / by);
  }
}

// A hundred times the quotient, which is rounded first: see normalise.cc.
BERTH_VECTORISE
void share(const int64_t* raw, const Extremes& of, int64_t* final, size_t count) {
  const int64_t low = of.minimum, high = of.maximum;
  const double whole = to_double(high - low), most = to_double(kHighestScore);
  for (size_t i = 0; i < count; ++i) {
    int64_t within = raw[i] < low ? low : raw[i] > high ? high : raw[i];
    final[i] = static_cast<int32_t>(most * (to_double(within - low) / whole));
  }
}

}  // namespace

BERTH_VECTORISE
void replace(const uint8_t* replaces, const uint8_t* from, uint8_t* to, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const uint8_t taken = from[i],
                  kept = to[i];  // read in any case, so that the loop has no branch
    to[i] = replaces[i] != 0 ? taken : kept;
  }
}

BERTH_VECTORISE
void refuse(const uint8_t* verdicts, Refuser refuser, Refuser* refusers, uint8_t* codes,
            size_t count) {
  for (size_t i = 0; i < count; ++i) {
    uint8_t take = static_cast<uint8_t>(-((refusers[i] == kFeasible) & (verdicts[i] != 0)));
    refusers[i] = static_cast<Refuser>(refusers[i] | (take & refuser));
    codes[i] = static_cast<uint8_t>((codes[i] & ~take) | (verdicts[i] & take));
  }
}

BERTH_VECTORISE
void settle_class(const RowClass* __restrict classes, RowClass of, Refuser refuser, uint8_t code,
                  const Refuser* __restrict own, const uint8_t* __restrict own_code,
                  Refuser* __restrict refusers, uint8_t* __restrict codes, size_t count) {
  // One below: kFeasible becomes the highest number.
  const auto last = static_cast<uint8_t>(refuser - 1);
  for (size_t i = 0; i < count; ++i) {
    const auto take = static_cast<uint8_t>(classes[i] == of ? 0xff : 0);
    const auto by_class = static_cast<uint8_t>(last < static_cast<uint8_t>(own[i] - 1) ? 0xff : 0);
    const auto refuses = static_cast<uint8_t>((refuser & by_class) | (own[i] & ~by_class));
    const auto says = static_cast<uint8_t>((code & by_class) | (own_code[i] & ~by_class));
    refusers[i] = static_cast<uint8_t>((refuses & take) | (refusers[i] & ~take));
    codes[i] = static_cast<uint8_t>((says & take) | (codes[i] & ~take));
  }
}

BERTH_VECTORISE
size_t count_feasible(const Refuser* refusers, size_t count) {
  size_t feasible = 0;
  // In pieces whose counts fit a byte, so that the inner loop adds bytes.
  for (size_t begin = 0; begin < count; begin += 128) {
    size_t end = std::min(count, begin + 128);
    uint8_t part = 0;
    for (size_t i = begin; i < end; ++i)
      part = static_cast<uint8_t>(part + (refusers[i] == kFeasible));
    feasible += part;
  }
  return feasible;
}

BERTH_VECTORISE
bool any_error(const Refuser* refusers, const uint8_t* codes, size_t count) {
  uint8_t found = 0;
  for (size_t i = 0; i < count; ++i)
    found = static_cast<uint8_t>(found | ((refusers[i] != kFeasible) & (codes[i] == BERTH_ERROR)));
  return found != 0;
}

uint64_t equal_bits(const uint8_t* bytes, uint8_t value) {
  constexpr uint64_t kLows = 0x7f7f'7f7f'7f7f'7f7f, kOnes = 0x0101'0101'0101'0101;
  uint64_t bits = 0;
  for (uint32_t byte = 0; byte < 8; ++byte) {
    uint64_t eight;
    std::memcpy(&eight, bytes + 8 * byte, sizeof eight);
    eight ^= value * kOnes;
    const uint64_t zeros =
        ~(((eight & kLows) + kLows) | eight | kLows) >> 7;      // 1 in each zero byte
    bits |= (zeros * 0x0102'0408'1020'4080 >> 56) << 8 * byte;  // the ones, side by side
  }
  return bits;
}

uint32_t mark_feasible(const Refuser* refusers, size_t count, uint64_t* words) {
  uint32_t feasible = 0;
  for (size_t begin = 0; begin < count; begin += 64) {
    uint64_t word = feasible_bits(refusers + begin);
    if (count - begin < 64) word &= ~(~uint64_t{0} << (count - begin));
    words[begin / 64] = word;
    feasible += static_cast<uint32_t>(std::popcount(word));
  }
  return feasible;
}

BERTH_VECTORISE
void expand(const uint32_t* codes, const uint8_t* answers, uint8_t* out, size_t count) {
  for (size_t i = 0; i < count; ++i) out[i] = answers[codes[i]];
}

BERTH_VECTORISE
void expand(const uint32_t* codes, const int64_t* answers, int64_t* out, size_t count) {
  for (size_t i = 0; i < count; ++i) out[i] = answers[codes[i]];
}

BERTH_VECTORISE
void extremes(const int64_t* raw, const int64_t* total, size_t count, Extremes& so_far) {
  int64_t minimum = so_far.minimum;
  int64_t maximum = so_far.maximum;
  int64_t unscored = 0;
  static_assert(BERTH_NOT_SCORED == INT64_MIN, "it raises no maximum");
  for (size_t i = 0; i < count; ++i) {
    const int64_t refused = total[i] < kLowestTotal ? -1 : 0;
    const int64_t blank = raw[i] == BERTH_NOT_SCORED ? -1 : 0;
    const int64_t low = (refused | blank) != 0 ? INT64_MAX : raw[i];
    const int64_t high = refused != 0 ? INT64_MIN : raw[i];
    minimum = low < minimum ? low : minimum;
    maximum = high > maximum ? high : maximum;
    unscored |= blank & ~refused;
  }
  so_far.minimum = minimum;
  so_far.maximum = maximum;
  so_far.unscored |= unscored != 0;
}

BERTH_VECTORISE
void extremes_of_all(const int64_t* raw, size_t count, Extremes& so_far) {
  int64_t minimum = so_far.minimum;
  int64_t maximum = so_far.maximum;
  for (size_t i = 0; i < count; ++i) {
    minimum = raw[i] < minimum ? raw[i] : minimum;
    maximum = raw[i] > maximum ? raw[i] : maximum;
  }
  so_far.minimum = minimum;
  so_far.maximum = maximum;
  so_far.unscored |= minimum == BERTH_NOT_SCORED;
}

BERTH_VECTORISE
void begin_totals(const Refuser* refusers, int64_t* total, size_t count) {
  for (size_t i = 0; i < count; ++i) total[i] = refusers[i] == kFeasible ? 0 : kRefusedTotal;
}

namespace {

BERTH_VECTORISE
uint64_t add_once(const int64_t* raw, int64_t* total, size_t count) {
  uint64_t outside = 0;
  for (size_t i = 0; i < count; ++i) {
    outside |= outside_range(raw[i]);
    total[i] += raw[i] & kScoreBits;
  }
  return outside >> 63;
}

BERTH_VECTORISE
uint64_t add_weighted(const int64_t* raw, int64_t weight, int64_t* total, size_t count) {
  uint64_t outside = 0;
  for (size_t i = 0; i < count; ++i) {
    outside |= outside_range(raw[i]);
    total[i] += weight * (raw[i] & kScoreBits);
  }
  return outside >> 63;
}

}  // namespace

bool add_raw(const int64_t* raw, int64_t weight, int64_t* total, size_t count) {
  return (weight == 1 ? add_once(raw, total, count) : add_weighted(raw, weight, total, count)) == 0;
}

BERTH_VECTORISE
void fill_totals(KeptTotal value, KeptTotal* total, size_t count) {
  for (size_t i = 0; i < count; ++i) total[i] = value;
}

namespace {

// Inlined in functions that are compiled for several instruction sets.
template <typename Score>
[[gnu::always_inline]] inline void add_kept(const Score* raw, KeptTotal weight, KeptTotal* total,
                                            size_t count) {
  for (size_t i = 0; i < count; ++i)
    total[i] += weight * static_cast<KeptTotal>(raw[i] & kScoreBits);
}

}  // namespace

BERTH_VECTORISE
void add_raw(const uint8_t* raw, KeptTotal weight, KeptTotal* total, size_t count) {
  add_kept(raw, weight, total, count);
}
BERTH_VECTORISE
void add_raw(const int16_t* raw, KeptTotal weight, KeptTotal* total, size_t count) {
  add_kept(raw, weight, total, count);
}
BERTH_VECTORISE
void add_raw(const int32_t* raw, KeptTotal weight, KeptTotal* total, size_t count) {
  add_kept(raw, weight, total, count);
}
BERTH_VECTORISE
void add_raw(const int64_t* raw, KeptTotal weight, KeptTotal* total, size_t count) {
  add_kept(raw, weight, total, count);
}

BERTH_VECTORISE
void add_constant(int64_t value, int64_t* total, size_t count) {
  for (size_t i = 0; i < count; ++i)
    total[i] = static_cast<int64_t>(static_cast<uint64_t>(total[i]) + static_cast<uint64_t>(value));
}

namespace {

void normalise(uint32_t kind, const int64_t* raw, const Extremes& of, int64_t* final,
               size_t count) {
  int64_t low = of.minimum, high = of.maximum;
  bool whole = exact(of);
  if (whole && kind == BERTH_NORMALISE_MAX && high != 0) {
    scale(raw, of, 1, 0, high, 1, 0, final, count);
  } else if (whole && kind == BERTH_NORMALISE_MAX_REVERSED && high != 0) {
    scale(raw, of, 1, 0, high, -1, kHighestScore, final, count);
  } else if (whole && kind == BERTH_NORMALISE_MIN_MAX && high != low) {
    share(raw, of, final, count);
  } else if (whole && kind == BERTH_NORMALISE_SPREAD && high != 0) {
    scale(raw, of, -1, high + low, high, 1, 0, final, count);
  } else {
    for (size_t i = 0; i < count; ++i) {
      bool within = raw[i] >= low && raw[i] <= high;  // refused rows may hold anything
      final[i] = raw[i] == BERTH_NOT_SCORED || !within ? 0 : normalised(kind, raw[i], low, high);
    }
  }
}

}  // namespace

void add_normalised(uint32_t kind, const int64_t* raw, const Extremes& of, int64_t weight,
                    int64_t* final, int64_t* total, size_t count) {
  normalise(kind, raw, of, final, count);
  add_weighted(final, weight, total, count);
}

void add_normalised(uint32_t kind, const int64_t* raw, const Extremes& of, KeptTotal weight,
                    KeptTotal* total, size_t count) {
  std::array<int64_t, 512> final;  // stays in the first cache
  for (size_t begin = 0; begin < count; begin += final.size()) {
    const size_t rows = std::min(final.size(), count - begin);
    normalise(kind, raw + begin, of, final.data(), rows);
    add_raw(final.data(), weight, total + begin, rows);
  }
}

namespace {

// Work over a block lane by lane has a vector form where one chain of comparisons has none.
constexpr size_t kLanes = 8;
constexpr std::array<int64_t, kLanes> kLaneBits = {1, 2, 4, 8, 16, 32, 64, 128};

// All bits set if the lane's bit is.
inline int64_t lane_mask(int64_t bits, size_t lane) {
  return (bits & kLaneBits[lane]) == kLaneBits[lane] ? -1 : 0;
}
inline int64_t choose(int64_t mask, int64_t yes, int64_t no) { return (yes & mask) | (no & ~mask); }

}  // namespace

namespace {

// A bit for each of 64 totals that is `value`: a byte for each, and then eight bytes to one.
template <typename Total>
[[gnu::always_inline]] inline uint64_t bits_of_equal(const Total* total, Total value) {
  alignas(64) std::array<uint8_t, kTotalBlock> equal;
  for (size_t i = 0; i < kTotalBlock; ++i) equal[i] = total[i] == value ? 1 : 0;
  uint64_t bits = 0;
  for (size_t byte = 0; byte < 8; ++byte) {
    uint64_t eight;
    std::memcpy(&eight, equal.data() + 8 * byte, sizeof eight);
    bits |= (eight * 0x0102'0408'1020'4080 >> 56) << 8 * byte;
  }
  return bits;
}

// A byte for each bit: 1 or 0.
[[gnu::always_inline]] inline void spread_bits(uint64_t bits, uint8_t* bytes) {
  for (size_t byte = 0; byte < 8; ++byte) {
    // Each byte keeps the bit of its number; then its highest bit says if there was one.
    uint64_t eight = (bits >> 8 * byte & 0xff) * 0x0101'0101'0101'0101 & 0x8040'2010'0804'0201;
    eight = ((eight + 0x7f7f'7f7f'7f7f'7f7f) | eight) >> 7 & 0x0101'0101'0101'0101;
    std::memcpy(bytes + 8 * byte, &eight, sizeof eight);
  }
}

}  // namespace

namespace {

[[gnu::always_inline]] inline BlockBest best_of_all(const KeptTotal* total) {
  KeptTotal highest = total[0];
  for (size_t i = 1; i < kTotalBlock; ++i) highest = total[i] > highest ? total[i] : highest;
  uint32_t equal = 0;
  for (size_t i = 0; i < kTotalBlock; ++i) equal += total[i] == highest ? 1 : 0;
  return {highest, equal};
}

[[gnu::always_inline]] inline BlockBest best_of_some(const KeptTotal* total, uint64_t rows) {
  constexpr KeptTotal kLowest = std::numeric_limits<KeptTotal>::min();
  alignas(64) std::array<uint8_t, kTotalBlock> counts;
  spread_bits(rows, counts.data());
  KeptTotal highest = kLowest;
  for (size_t i = 0; i < kTotalBlock; ++i) {
    const KeptTotal mask = -KeptTotal{counts[i]};
    const KeptTotal one = (total[i] & mask) | (kLowest & ~mask);
    highest = one > highest ? one : highest;
  }
  const uint64_t equal = bits_of_equal(total, highest) & rows;
  return {highest, static_cast<uint32_t>(std::popcount(equal))};
}

[[gnu::always_inline]] inline BlockBest best_of_block(const KeptTotal* total, uint64_t rows) {
  if (rows == ~uint64_t{0}) return best_of_all(total);
  return rows == 0 ? BlockBest{INT64_MIN, 0} : best_of_some(total, rows);
}

}  // namespace

BERTH_VECTORISE
BlockBest best_of(const KeptTotal* total, uint64_t rows) { return best_of_block(total, rows); }

BERTH_VECTORISE
void best_of_blocks(const KeptTotal* total, const uint64_t* rows, size_t count, BlockBest* best) {
  for (size_t block = 0; block < count; ++block)
    best[block] = best_of_block(total + block * kTotalBlock, rows[block]);
}

BERTH_VECTORISE
Extremes extremes_of(const int64_t* raw, uint64_t rows) {
  alignas(64) std::array<int64_t, kLanes> lowest, highest, blank;
  lowest.fill(INT64_MAX);
  highest.fill(INT64_MIN);
  blank.fill(0);
  for (size_t i = 0; i < kTotalBlock; i += kLanes) {
    const auto bits = static_cast<int64_t>(rows >> i);
    for (size_t lane = 0; lane < kLanes; ++lane) {
      const int64_t takes = lane_mask(bits, lane), score = raw[i + lane];
      const int64_t unscored = (score == BERTH_NOT_SCORED ? -1 : 0) & takes;
      const int64_t low = choose(takes & ~unscored, score, INT64_MAX);
      const int64_t high = choose(takes, score, INT64_MIN);
      lowest[lane] = low < lowest[lane] ? low : lowest[lane];
      highest[lane] = high > highest[lane] ? high : highest[lane];
      blank[lane] |= unscored;
    }
  }
  return {*std::ranges::min_element(lowest), *std::ranges::max_element(highest),
          std::ranges::any_of(blank, [](int64_t lane) { return lane != 0; })};
}

BERTH_VECTORISE
Extremes extremes_of(const uint8_t* raw, uint64_t rows) {
  if (rows == 0) return {};
  alignas(64) std::array<uint8_t, kTotalBlock> takes;
  spread_bits(rows, takes.data());
  uint8_t lowest = UINT8_MAX, highest = 0;
  for (size_t i = 0; i < kTotalBlock; ++i) {
    const auto left_out = static_cast<uint8_t>(takes[i] - 1);  // all bits, or none
    const auto low = static_cast<uint8_t>(raw[i] | left_out);
    const auto high = static_cast<uint8_t>(raw[i] & ~left_out);
    lowest = low < lowest ? low : lowest;
    highest = high > highest ? high : highest;
  }
  return {.minimum = lowest, .maximum = highest};
}

void best_of(const KeptTotal* total, const RowClass* classes, uint64_t rows, BlockBest* best,
             uint32_t count) {
  std::fill_n(best, count, BlockBest{INT64_MIN, 0});
  constexpr int kAtOnce = 5;  // classes, each in some vector instructions
  for (int i = 0; rows != 0 && i < kAtOnce; ++i) {
    const RowClass of = classes[std::countr_zero(rows)];
    const uint64_t mine = rows & equal_bits(classes, of);
    best[of] = best_of(total, mine);
    rows &= ~mine;
  }
  for (; rows != 0; rows &= rows - 1) {
    const int row = std::countr_zero(rows);
    BlockBest& mine = best[classes[row]];
    const bool higher = total[row] > mine.total;
    mine.rows = (higher ? 0 : mine.rows) + (total[row] >= mine.total);
    mine.total = higher ? total[row] : mine.total;
  }
}

BERTH_VECTORISE
void highest_of_blocks(const int64_t* total, size_t count, int64_t* highest) {
  for (size_t begin = 0; begin < count; begin += kTotalBlock) {
    const size_t end = std::min(count, begin + kTotalBlock);
    int64_t best = INT64_MIN;
    for (size_t i = begin; i < end; ++i) best = total[i] > best ? total[i] : best;
    highest[begin / kTotalBlock] = best;
  }
}

BERTH_VECTORISE
uint64_t equal_bits(const int64_t* total, int64_t value) { return bits_of_equal(total, value); }

BERTH_VECTORISE
uint64_t equal_bits(const KeptTotal* total, int64_t value) {
  const auto kept = static_cast<KeptTotal>(value);
  return kept == value ? bits_of_equal(total, kept) : 0;
}

BERTH_VECTORISE
uint32_t count_equal(const KeptTotal* total, int64_t value, uint64_t rows) {
  const auto kept = static_cast<KeptTotal>(value);
  if (kept != value) return 0;
  return static_cast<uint32_t>(std::popcount(bits_of_equal(total, kept) & rows));
}

BERTH_VECTORISE
model::Row pass_rows(const uint64_t* words, model::Row begin, model::Row end, uint32_t& most) {
  for (model::Row row = begin; row < end;) {
    const model::Row block = row / kTotalBlock, first = block * model::Row{kTotalBlock};
    uint64_t word = words[block] & ~uint64_t{0} << row % kTotalBlock;
    if (end - first < kTotalBlock) word &= ~(~uint64_t{0} << end % kTotalBlock);
    const auto bits = static_cast<uint32_t>(std::popcount(word));
    if (bits > most) return first + place_of_bit(word, std::exchange(most, 0));
    most -= bits;
    row = first + model::Row{kTotalBlock};
  }
  return end;
}

BERTH_VECTORISE
size_t count_equal(const int64_t* total, int64_t value, size_t count) {
  int64_t equal = 0;
  for (size_t i = 0; i < count; ++i) equal += static_cast<int64_t>(total[i] == value);
  return static_cast<size_t>(equal);
}

}  // namespace berth::framework
