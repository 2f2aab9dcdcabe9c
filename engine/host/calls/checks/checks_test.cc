#include "engine/host/calls/checks/checks.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <vector>

#include "berth/abi/base.h"
#include "engine/host/calls/checks/code_name.h"

namespace berth::host {
namespace {

TEST(Checks, AnyBitsFindsEachPosition) {
  for (size_t size = 0; size < 300; ++size) {
    std::vector<uint8_t> values(size, 3);
    EXPECT_FALSE(any_bits(values, 0xFC));
    for (size_t i = 0; i < size; ++i) {
      values[i] = 4;
      EXPECT_TRUE(any_bits(values, 0xFC)) << i << " of " << size;
      values[i] = 3;
    }
  }
}

TEST(Checks, FirstUnwrittenIsTheFirst) {
  for (const size_t size : {0, 1, 2, 7, 64, 300}) {
    std::vector<int64_t> scores(size, kUnwrittenScore + 1);
    EXPECT_EQ(first_unwritten(scores), kNowhere) << size;
    for (size_t i = size; i-- > 0;) {
      scores[i] = kUnwrittenScore;
      EXPECT_EQ(first_unwritten(scores), i) << size;
    }
  }
}

TEST(Checks, UnwrittenAreAllUpToTheEnd) {
  for (const size_t size : {0, 1, 2, 7, 64, 300}) {
    std::vector<int64_t> scores(size + 1, 5);
    mark_unwritten(std::span(scores).first(size));
    EXPECT_EQ(static_cast<size_t>(std::ranges::count(scores, kUnwrittenScore)), size);
    EXPECT_EQ(scores.back(), 5) << size;
  }
}

TEST(Checks, FirstOutsideIsTheFirst) {
  rc::check("as a plain search",
            [](const std::vector<uint8_t>& codes, uint32_t allowed, const std::vector<bool>& bits) {
              std::vector<uint64_t> mask(codes.size() / 64 + 1);
              for (size_t i = 0; i < bits.size() && i < codes.size(); ++i) {
                if (bits[i]) mask[i / 64] |= uint64_t{1} << (i % 64);
              }
              size_t expected = kNowhere;
              for (size_t i = codes.size(); i-- > 0;) {
                const bool good = codes[i] < 32 && ((allowed >> codes[i]) & 1) != 0;
                if (!good && i < bits.size() && bits[i]) expected = i;
              }
              RC_ASSERT(first_outside(codes, allowed, mask.data()) == expected);
            });
}

TEST(Checks, FinalScores) {
  std::vector<int64_t> scores = {0, 100, 50};
  EXPECT_EQ(first_outside_final(scores), kNowhere);
  for (const int64_t bad : {int64_t{-1}, int64_t{101}, INT64_MIN, INT64_MAX}) {
    scores[1] = bad;
    EXPECT_EQ(first_outside_final(scores), 1u);
  }
  EXPECT_EQ(first_outside_final({}), kNowhere);
}

TEST(Checks, Words) {
  EXPECT_EQ(code_list(code_bit(0)), "SUCCESS");
  EXPECT_EQ(code_list(code_bit(0) | code_bit(5)), "SUCCESS or SKIP");
  EXPECT_EQ(code_list(0b1001110),
            "ERROR, UNSCHEDULABLE, UNSCHEDULABLE_AND_UNRESOLVABLE or PENDING");
  EXPECT_EQ(code_word(BERTH_WAIT), "WAIT");
  EXPECT_EQ(code_word(9), "9");
  EXPECT_EQ(code_word(-1), "-1");
  EXPECT_EQ(at_position(12, 64), " at position 12 of 64");
}

}  // namespace
}  // namespace berth::host
