#include "engine/base/memory/chunk_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace berth {
namespace {

TEST(ChunkMemory, GivesRowsThatDoNotOverlap) {
  constexpr auto kAlignment = static_cast<size_t>(ChunkMemory::kAlignment);
  ChunkMemory memory;
  std::vector<std::span<std::byte>> pieces;
  for (const size_t bytes : {1, 64, 65, 4096, 100'000, 1 << 20, 3 << 20, 128 << 10, 128 << 10}) {
    auto* piece = memory.make_rows<std::byte>(bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(piece) % kAlignment, 0u);
    pieces.emplace_back(piece, bytes);
    EXPECT_TRUE(std::ranges::all_of(pieces.back(), [](std::byte b) { return b == std::byte{0}; }));
    std::ranges::fill(pieces.back(), static_cast<std::byte>(pieces.size()));
  }
  for (size_t i = 0; i < pieces.size(); ++i)
    EXPECT_TRUE(std::ranges::all_of(pieces[i], [&](std::byte b) {
      return b == static_cast<std::byte>(i + 1);
    })) << i;
}

TEST(ChunkedRows, StayWhereTheyAre) {
  struct Row {
    uint32_t number = 7;
    std::byte more[508]{};
  };
  ChunkedRows<Row, 10> rows;
  std::vector<Row*> places;
  for (uint32_t i = 0; i < 20'000; ++i) {
    if (i == rows.size()) rows.grow();
    EXPECT_EQ(rows[i].number, 7u);
    rows[i].number = i;
    places.push_back(&rows[i]);
  }
  for (uint32_t i = 0; i < 20'000; ++i) {
    EXPECT_EQ(&rows[i], places[i]);
    EXPECT_EQ(rows[i].number, i);
  }
}

}  // namespace
}  // namespace berth
