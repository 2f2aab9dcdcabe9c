#include "engine/framework/kernels.h"

#include <algorithm>

#include "berth/abi/score.h"
#include "engine/base/vectorise.h"
#include "engine/framework/normalise.h"

namespace berth::framework {
namespace {

// Integer division by one number has no vector form; division of doubles has. The quotient of two
// integers below 2^53 rounds to an integer only if it is one: a quotient that is not differs from
// the next integer by at least 1 / divisor > 2^-53 of it, more than half a unit in the last place
// of any quotient below 2^53 / divisor, and ours are at most 100. So truncating is exact.
constexpr int64_t kExactInDouble = int64_t{1} << 53;

bool exact(const Extremes& of) {
  constexpr int64_t kLimit = kExactInDouble / (4 * kHighestScore);
  return of.minimum > -kLimit && of.maximum < kLimit && !of.unscored;
}

// shift + sign * (100 * (factor * raw + offset) / divisor), truncated as int64 division is. Rows
// that were refused may hold anything, so every raw score is first brought between the extremes.
BERTH_VECTORISE
void scale(const int64_t* raw, const Extremes& of, int64_t factor, int64_t offset, int64_t divisor,
           int64_t sign, int64_t shift, int64_t* final, size_t count) {
  const auto by = static_cast<double>(divisor);
  const int64_t low = of.minimum, high = of.maximum;
  for (size_t i = 0; i < count; ++i) {
    int64_t within = raw[i] < low ? low : raw[i] > high ? high : raw[i];
    int64_t dividend = kHighestScore * (factor * within + offset);
    final[i] = shift + sign * static_cast<int64_t>(static_cast<double>(dividend) / by);
  }
}

}  // namespace

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

BERTH_VECTORISE
void expand(const uint32_t* codes, const uint8_t* answers, uint8_t* out, size_t count) {
  for (size_t i = 0; i < count; ++i) out[i] = answers[codes[i]];
}

BERTH_VECTORISE
void expand(const uint32_t* codes, const int64_t* answers, int64_t* out, size_t count) {
  for (size_t i = 0; i < count; ++i) out[i] = answers[codes[i]];
}

BERTH_VECTORISE
void extremes(const int64_t* raw, const Refuser* refusers, size_t count, Extremes& so_far) {
  int64_t minimum = so_far.minimum;
  int64_t maximum = so_far.maximum;
  int64_t unscored = 0;
  for (size_t i = 0; i < count; ++i) {
    bool feasible = refusers[i] == kFeasible;
    bool scored = feasible & (raw[i] != BERTH_NOT_SCORED);
    int64_t low = scored ? raw[i] : INT64_MAX;
    int64_t high = scored ? raw[i] : INT64_MIN;
    minimum = low < minimum ? low : minimum;
    maximum = high > maximum ? high : maximum;
    unscored |= static_cast<int64_t>(feasible & !scored);
  }
  so_far.minimum = minimum;
  so_far.maximum = maximum;
  so_far.unscored |= unscored != 0;
}

BERTH_VECTORISE
void add_weighted(const int64_t* final, int64_t weight, int64_t* total, size_t count) {
  // Unsigned, because what stands in rows that were refused may overflow.
  const auto times = static_cast<uint64_t>(weight);
  for (size_t i = 0; i < count; ++i)
    total[i] = static_cast<int64_t>(static_cast<uint64_t>(total[i]) +
                                    times * static_cast<uint64_t>(final[i]));
}

BERTH_VECTORISE
void add_constant(int64_t value, int64_t* total, size_t count) {
  for (size_t i = 0; i < count; ++i)
    total[i] = static_cast<int64_t>(static_cast<uint64_t>(total[i]) + static_cast<uint64_t>(value));
}

void add_normalised(uint32_t kind, const int64_t* raw, const Extremes& of, int64_t weight,
                    int64_t* final, int64_t* total, size_t count) {
  if (kind == BERTH_NORMALISE_NONE && !of.unscored) return add_weighted(raw, weight, total, count);
  int64_t low = of.minimum, high = of.maximum;
  bool whole = exact(of);
  if (whole && kind == BERTH_NORMALISE_MAX && high != 0) {
    scale(raw, of, 1, 0, high, 1, 0, final, count);
  } else if (whole && kind == BERTH_NORMALISE_MAX_REVERSED && high != 0) {
    scale(raw, of, 1, 0, high, -1, kHighestScore, final, count);
  } else if (whole && kind == BERTH_NORMALISE_MIN_MAX && high != low) {
    scale(raw, of, 1, -low, high - low, 1, 0, final, count);
  } else if (whole && kind == BERTH_NORMALISE_SPREAD && high != 0) {
    scale(raw, of, -1, high + low, high, 1, 0, final, count);
  } else {
    for (size_t i = 0; i < count; ++i) {
      bool within = raw[i] >= low && raw[i] <= high;  // refused rows may hold anything
      final[i] = raw[i] == BERTH_NOT_SCORED || !within ? 0 : normalised(kind, raw[i], low, high);
    }
  }
  add_weighted(final, weight, total, count);
}

BERTH_VECTORISE
int64_t highest(const int64_t* total, const Refuser* refusers, size_t count) {
  int64_t best = INT64_MIN;
  for (size_t i = 0; i < count; ++i) {
    int64_t value = refusers[i] == kFeasible ? total[i] : INT64_MIN;
    best = value > best ? value : best;
  }
  return best;
}

BERTH_VECTORISE
size_t count_equal(const int64_t* total, const Refuser* refusers, int64_t value, size_t count) {
  int64_t equal = 0;
  for (size_t i = 0; i < count; ++i)
    equal += static_cast<int64_t>((refusers[i] == kFeasible) & (total[i] == value));
  return static_cast<size_t>(equal);
}

}  // namespace berth::framework
