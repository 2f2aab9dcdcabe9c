#include "engine/framework/evaluation/scores/score_widths.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "engine/base/vectorise.h"
#include "engine/framework/evaluation/scores/normalise.h"

namespace berth::framework {
namespace {

// Inlined in functions that are compiled for several instruction sets.
template <typename Score>
[[gnu::always_inline]] inline bool shorten_to(const int64_t* raw, Score* out, size_t count) {
  // Above the lowest score by more than there are scores: some bit is set that none of them has.
  constexpr auto kLowest = static_cast<uint64_t>(std::numeric_limits<Score>::min());
  uint64_t outside = 0;
  for (size_t i = 0; i < count; ++i) {
    outside |= static_cast<uint64_t>(raw[i]) - kLowest;
    out[i] = static_cast<Score>(raw[i]);
  }
  return outside <= std::numeric_limits<std::make_unsigned_t<Score>>::max();
}

}  // namespace

BERTH_VECTORISE
bool all_zero(const int64_t* raw, size_t count) {
  int64_t bits = 0;
  for (size_t i = 0; i < count; ++i) bits |= raw[i];
  return bits == 0;
}

BERTH_VECTORISE
bool shorten(const int64_t* raw, uint8_t* out, size_t count) { return shorten_to(raw, out, count); }
BERTH_VECTORISE
bool shorten(const int64_t* raw, int16_t* out, size_t count) { return shorten_to(raw, out, count); }
BERTH_VECTORISE
bool shorten(const int64_t* raw, int32_t* out, size_t count) { return shorten_to(raw, out, count); }

BERTH_VECTORISE
bool all_in_range(const int64_t* raw, size_t count) {
  uint64_t outside = 0;
  for (size_t i = 0; i < count; ++i) outside |= outside_range(raw[i]);
  return outside >> 63 == 0;
}
BERTH_VECTORISE
bool all_in_range(const uint8_t* raw, size_t count) {
  uint8_t highest = 0;
  for (size_t i = 0; i < count; ++i) highest = std::max(highest, raw[i]);
  return highest <= kHighestScore;
}

BERTH_VECTORISE
void lengthen(const uint8_t* raw, int64_t* out, size_t count) {
  for (size_t i = 0; i < count; ++i) out[i] = raw[i];
}
BERTH_VECTORISE
void lengthen(const int16_t* raw, int64_t* out, size_t count) {
  for (size_t i = 0; i < count; ++i) out[i] = raw[i];
}
BERTH_VECTORISE
void lengthen(const int32_t* raw, int64_t* out, size_t count) {
  for (size_t i = 0; i < count; ++i) out[i] = raw[i];
}

}  // namespace berth::framework
