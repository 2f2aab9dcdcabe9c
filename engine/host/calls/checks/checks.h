#pragma once

// Checks arrays that a plugin wrote: one pass without branches per element, and a search for the
// offending position only if there is one.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace berth::host {

// A set of berth_code values, one bit each.
using CodeSet = uint32_t;
constexpr CodeSet code_bit(uint32_t code) { return 1u << code; }

inline constexpr size_t kNowhere = SIZE_MAX;

// The host fills output arrays with these values before a call. A hook may not write them, so a
// value that is still there shows that the hook wrote nothing.
inline constexpr uint8_t kUnwrittenCode = 0xFF;
inline constexpr int64_t kUnwrittenScore = INT64_MIN + 1;  // BERTH_UNSCORED is an answer

// True if any value has one of the bits in `forbidden`.
[[nodiscard]] bool any_bits_of_many(std::span<const uint8_t> values, uint8_t forbidden);
[[nodiscard]] inline bool any_bits(std::span<const uint8_t> values, uint8_t forbidden) {
  if (values.size() == 1) return (values[0] & forbidden) != 0;  // a decision's placement
  return any_bits_of_many(values, forbidden);
}

// The first position whose code is not in the set and whose mask bit is 1 (null: all are); or
// kNowhere.
size_t first_outside(std::span<const uint8_t> codes, CodeSet allowed, const uint64_t* mask);

// Makes all of them kUnwrittenScore, before a plugin writes them.
void mark_many_unwritten(std::span<int64_t> scores);
inline void mark_unwritten(std::span<int64_t> scores) {
  if (scores.size() == 1) {
    scores[0] = kUnwrittenScore;
  } else {
    mark_many_unwritten(scores);
  }
}

// The first position whose score is kUnwrittenScore; or kNowhere.
size_t first_unwritten_of_many(std::span<const int64_t> scores);
inline size_t first_unwritten(std::span<const int64_t> scores) {
  if (scores.size() == 1) return scores[0] == kUnwrittenScore ? 0 : kNowhere;
  return first_unwritten_of_many(scores);
}

// The first position whose score is not in 0..100; or kNowhere.
size_t first_outside_final(std::span<const int64_t> scores);

// " at position 12 of 64".
std::string at_position(size_t position, size_t count);
std::string code_list(CodeSet allowed);  // "SUCCESS, ERROR or SKIP"

// The text about a reserved member of something that a plugin fills in, or nothing if it is 0 as
// the contract says: "7 in the member reserved, which must be 0". Later versions may give such a
// member a meaning, because no plugin has anything else in it.
std::optional<std::string> reserved_problem(uint64_t value, std::string_view member = "reserved");

inline bool in_mask(const uint64_t* mask, size_t position) {
  return mask == nullptr || (mask[position / 64] >> (position % 64) & 1) != 0;
}

}  // namespace berth::host
