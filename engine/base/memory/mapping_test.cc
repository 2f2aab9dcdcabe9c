#include "engine/base/memory/mapping.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>

namespace berth {
namespace {

TEST(Mapping, GivesZerosThatMayBeWritten) {
  for (const size_t size : {1, 5000, 4 << 20}) {
    const Mapping mapping = map_zeros(size);
    const std::span bytes(mapping.get(), size);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(bytes.data()) % 64, 0u);
    EXPECT_TRUE(std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0}; }));
    std::ranges::fill(bytes, std::byte{7});
    EXPECT_TRUE(std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{7}; }));
  }
}

}  // namespace
}  // namespace berth
