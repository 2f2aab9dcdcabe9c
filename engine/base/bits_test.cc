#include "engine/base/bits.h"

#include <gtest/gtest.h>

#include <bit>

#include "engine/base/draw.h"

namespace berth {
namespace {

uint32_t place_by_loop(uint64_t word, uint32_t number) {
  for (; number != 0; --number) word &= word - 1;
  return static_cast<uint32_t>(std::countr_zero(word));
}

TEST(PlaceOfBit, IsThatOfALoopForEachBitOfAllKindsOfWords) {
  for (uint64_t i = 0; i < 2000; ++i) {
    const uint64_t drawn = draw(1, i, 0, Purpose::kPluginCheck);
    for (const uint64_t word :
         {drawn, drawn & drawn >> 7, drawn | drawn << 3, ~uint64_t{0} >> i % 64,
          uint64_t{1} << i % 64, drawn & 0xff00000000000001u}) {
      for (int number = 0; number < std::popcount(word); ++number)
        ASSERT_EQ(place_of_bit(word, static_cast<uint32_t>(number)),
                  place_by_loop(word, static_cast<uint32_t>(number)))
            << word << " " << number;
    }
  }
}

TEST(PlaceOfBit, IsBehindTheWordIfThereIsNone) {
  EXPECT_EQ(place_of_bit(0, 0), 64u);
  EXPECT_EQ(place_of_bit(0b101, 2), 64u);
  EXPECT_EQ(place_of_bit(uint64_t{1} << 63, 1), 64u);
  EXPECT_EQ(place_of_bit(~uint64_t{0} >> 1, 63), 64u);
}

}  // namespace
}  // namespace berth
