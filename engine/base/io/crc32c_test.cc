#include "engine/base/io/crc32c.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string_view>

namespace berth {
namespace {

std::span<const uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// The definition, one bit at a time.
uint32_t crc32c_by_definition(std::span<const uint8_t> bytes) {
  uint32_t state = ~uint32_t{0};
  for (uint8_t byte : bytes) {
    state ^= byte;
    for (int bit = 0; bit < 8; ++bit) state = (state >> 1) ^ ((state & 1) != 0 ? 0x82f63b78 : 0);
  }
  return ~state;
}

TEST(Crc32c, HasTheStandardsCheckValues) {
  EXPECT_EQ(crc32c(bytes_of("123456789")), 0xe3069283u);
  EXPECT_EQ(crc32c({}), 0u);
  // RFC 3720, B.4: 32 bytes of zeros, of ones, and ascending.
  EXPECT_EQ(crc32c(std::vector<uint8_t>(32, 0)), 0x8a9136aau);
  EXPECT_EQ(crc32c(std::vector<uint8_t>(32, 0xff)), 0x62a8ab43u);
}

RC_GTEST_PROP(Crc32c, IsWhatTheDefinitionSays, (const std::vector<uint8_t>& bytes)) {
  RC_ASSERT(crc32c(bytes) == crc32c_by_definition(bytes));
}

RC_GTEST_PROP(Crc32c, GoesOnFromABeginning,
              (const std::vector<uint8_t>& first, const std::vector<uint8_t>& second)) {
  std::vector<uint8_t> both = first;
  both.insert(both.end(), second.begin(), second.end());
  RC_ASSERT(crc32c(second, crc32c(first)) == crc32c(both));
  RC_ASSERT(crc32c_concatenated(crc32c(first), crc32c(second), second.size()) == crc32c(both));
}

RC_GTEST_PROP(Crc32c, OfPartsOfAText, ()) {
  const auto size = *rc::gen::inRange<size_t>(0, 10'000);
  const auto text = *rc::gen::container<std::vector<uint8_t>>(size, rc::gen::arbitrary<uint8_t>());
  Crc32cParts parts;
  parts.reset(text.data());
  for (int i = 0; i < 20; ++i) {
    const auto end = *rc::gen::inRange<size_t>(0, size + 1);
    const auto begin = *rc::gen::inRange<size_t>(0, end + 1);
    RC_ASSERT(parts.of(begin, end) == crc32c(std::span(text).subspan(begin, end - begin)));
  }
}

TEST(Crc32c, PartsOfATextThatGrowsAndOfTheNextOne) {
  std::vector<uint8_t> text(5000, 'a');
  Crc32cParts parts;
  parts.reset(text.data());
  EXPECT_EQ(parts.of(0, 3000), crc32c(std::span(text).first(3000)));
  std::fill(text.begin() + 3000, text.end(), 'b');
  EXPECT_EQ(parts.of(2000, 5000), crc32c(std::span(text).subspan(2000)));
  std::fill(text.begin(), text.end(), 'c');
  parts.reset(text.data());
  EXPECT_EQ(parts.of(2000, 5000), crc32c(std::span(text).subspan(2000)));
}

}  // namespace
}  // namespace berth
