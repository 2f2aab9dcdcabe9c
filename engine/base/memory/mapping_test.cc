#include "engine/base/memory/mapping.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <span>
#include <vector>

namespace berth {
namespace {

// With sanitizers it is the allocator's memory.
constexpr size_t kBegin = kSanitized ? 64 : kLargePage;

TEST(Mapping, GivesZerosThatMayBeWritten) {
  for (const Pages pages : {Pages::kSmall, Pages::kLarge}) {
    const size_t size = pages == Pages::kLarge ? 2 * kLargePage : 5000;
    const Mapping mapping = map_zeros(size, pages);
    const std::span bytes(mapping.get(), size);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(bytes.data()) % (pages == Pages::kLarge ? kBegin : 64),
              0u);
    EXPECT_TRUE(std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0}; }));
    std::ranges::fill(bytes, std::byte{7});
    EXPECT_TRUE(std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{7}; }));
  }
}

TEST(LargePages, HoldSmallAndLargeArrays) {
  std::vector<uint32_t, LargePages<uint32_t>> numbers;
  for (uint32_t i = 0; i < 2'000'000; ++i) numbers.push_back(i);
  if (!kSanitized) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(numbers.data()) % kLargePage, 0u);
  }
  for (uint32_t i = 0; i < numbers.size(); ++i) ASSERT_EQ(numbers[i], i);
  numbers.resize(10);
  numbers.shrink_to_fit();
  EXPECT_EQ(numbers.back(), 9u);
}

TEST(LargePages, HoldATableThatGrows) {
  boost::unordered_flat_map<uint64_t, uint32_t, boost::hash<uint64_t>, std::equal_to<>,
                            LargePages<std::pair<const uint64_t, uint32_t>>>
      table;
  for (uint32_t i = 0; i < 300'000; ++i) table.emplace(uint64_t{i} << 32, i);
  for (uint32_t i = 0; i < 300'000; ++i) ASSERT_EQ(table.at(uint64_t{i} << 32), i);
}

}  // namespace
}  // namespace berth
