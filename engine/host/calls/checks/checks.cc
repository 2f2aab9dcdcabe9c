#include "engine/host/calls/checks/checks.h"

#include <algorithm>
#include <cstring>

#include "engine/base/vectorise.h"
#include "engine/host/calls/checks/code_name.h"

namespace berth::host {
namespace {

// 16 bytes are one vector register on every supported machine.
using Wide = uint8_t __attribute__((vector_size(16)));

Wide load(const uint8_t* from) {
  Wide value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

bool any(Wide value) {
  uint64_t halves[2];
  std::memcpy(halves, &value, sizeof value);
  return (halves[0] | halves[1]) != 0;
}

// Without a branch per element, so that it is vectorised.
BERTH_VECTORISE
bool any_equal(const int64_t* values, size_t count, int64_t value) {
  uint64_t found = 0;
  for (size_t i = 0; i < count; ++i) found |= values[i] == value ? 1 : 0;
  return found != 0;
}

BERTH_VECTORISE
void fill(int64_t* values, size_t count, int64_t value) {
  for (size_t i = 0; i < count; ++i) values[i] = value;
}

}  // namespace

std::optional<std::string> reserved_problem(uint64_t value, std::string_view member) {
  if (value == 0) return std::nullopt;
  return std::to_string(value) + " in the member " + std::string(member) + ", which must be 0";
}

bool any_bits_of_many(std::span<const uint8_t> values, uint8_t forbidden) {
  const uint8_t* at = values.data();
  const uint8_t* const end = at + values.size();
  Wide a{}, b{}, c{}, d{};
  for (; end - at >= 64; at += 64) {
    a |= load(at);
    b |= load(at + 16);
    c |= load(at + 32);
    d |= load(at + 48);
  }
  uint8_t rest = 0;
  for (; at != end; ++at) rest |= *at;
  const Wide wanted = Wide{} + forbidden;
  return any((a | b | c | d) & wanted) || (rest & forbidden) != 0;
}

size_t first_outside(std::span<const uint8_t> codes, CodeSet allowed, const uint64_t* mask) {
  for (size_t i = 0; i < codes.size(); ++i) {
    const bool good = codes[i] < 32 && (allowed >> codes[i] & 1) != 0;
    if (!good && in_mask(mask, i)) return i;
  }
  return kNowhere;
}

void mark_many_unwritten(std::span<int64_t> scores) {
  fill(scores.data(), scores.size(), kUnwrittenScore);
}

size_t first_unwritten_of_many(std::span<const int64_t> scores) {
  if (!any_equal(scores.data(), scores.size(), kUnwrittenScore)) return kNowhere;
  return static_cast<size_t>(std::ranges::find(scores, kUnwrittenScore) - scores.begin());
}

size_t first_outside_final(std::span<const int64_t> scores) {
  // An unsigned comparison covers both bounds. Two passes: the first has no branch per element.
  uint64_t outside = 0;
  for (const int64_t score : scores) outside |= static_cast<uint64_t>(score) > 100 ? 1 : 0;
  if (outside == 0) return kNowhere;
  for (size_t i = 0; i < scores.size(); ++i) {
    if (static_cast<uint64_t>(scores[i]) > 100) return i;
  }
  return kNowhere;
}

std::string at_position(size_t position, size_t count) {
  return " at position " + std::to_string(position) + " of " + std::to_string(count);
}

std::string code_list(CodeSet allowed) {
  std::string text;
  for (uint32_t code = 0; code < 32; ++code) {
    if ((allowed >> code & 1) == 0) continue;
    const bool last = (allowed >> code) == 1;
    if (!text.empty()) text += last ? " or " : ", ";
    text += code_word(code);
  }
  return text;
}

}  // namespace berth::host
