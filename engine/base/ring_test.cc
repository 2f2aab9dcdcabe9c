#include "engine/base/ring.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace berth {
namespace {

TEST(Ring, GivesValuesInTheirOrderUntilItIsFull) {
  Ring<int> ring(4);
  int value = 0;
  EXPECT_FALSE(ring.try_pop(value));
  for (int i = 1; i <= 4; ++i) EXPECT_TRUE(ring.try_push(value = i));
  EXPECT_FALSE(ring.try_push(value = 5));
  EXPECT_EQ(value, 5) << "what was not pushed stays with the producer";
  for (int i = 1; i <= 4; ++i) {
    ASSERT_TRUE(ring.try_pop(value));
    EXPECT_EQ(value, i);
  }
  EXPECT_FALSE(ring.try_pop(value));
}

TEST(Ring, WhatWasPushedBeforeTheEndStillComes) {
  Ring<int> ring(4);
  int value = 7;
  EXPECT_TRUE(ring.push(value));
  ring.close();
  EXPECT_TRUE(ring.pop(value));
  EXPECT_EQ(value, 7);
  EXPECT_FALSE(ring.pop(value));
}

TEST(Ring, AnAbandonedRingDoesNotKeepTheProducer) {
  Ring<int> ring(2);
  int value = 1;
  EXPECT_TRUE(ring.push(value));
  EXPECT_TRUE(ring.push(value));
  std::thread consumer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ring.abandon();
  });
  EXPECT_FALSE(ring.push(value));
  consumer.join();
}

TEST(Ring, BuffersGoRound) {
  Ring<std::vector<int>> ring(2);
  std::vector<int> produced;
  std::vector<int> consumed;
  std::vector<const int*> buffers;
  for (int i = 0; i < 12; ++i) {
    produced.resize(100, i);
    buffers.push_back(produced.data());
    EXPECT_TRUE(ring.push(produced));
    EXPECT_TRUE(ring.pop(consumed));
  }
  // Two slots and one vector on each side: from the fifth value on, all buffers are reused.
  for (size_t i = 4; i < buffers.size(); ++i) EXPECT_EQ(buffers[i], buffers[i - 4]);
}

// The values own memory, so that ThreadSanitizer sees it pass between the threads in both
// directions.
void pass_many(size_t capacity, uint64_t count) {
  Ring<std::unique_ptr<uint64_t>> ring(capacity);
  std::thread producer([&] {
    std::unique_ptr<uint64_t> value;
    for (uint64_t i = 0; i < count; ++i) {
      if (value == nullptr) value = std::make_unique<uint64_t>();
      *value = i;
      ASSERT_TRUE(ring.push(value));
    }
    ring.close();
  });
  std::unique_ptr<uint64_t> value;
  uint64_t expected = 0;
  while (ring.pop(value)) {
    ASSERT_EQ(*value, expected++);
    *value = UINT64_MAX;
  }
  EXPECT_EQ(expected, count);
  producer.join();
}

TEST(Ring, PassesEverythingBetweenThreadsOnce) { pass_many(64, 200'000); }

TEST(Ring, PassesEverythingThroughOneSlot) { pass_many(1, 5'000); }

TEST(Ring, WaitsForASlowProducer) {
  Ring<int> ring(4);
  std::thread producer([&] {
    for (int i = 0; i < 3; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(3));
      int value = i;
      EXPECT_TRUE(ring.push(value));
    }
    ring.close();
  });
  int value = -1;
  int sum = 0;
  while (ring.pop(value)) sum += value;
  EXPECT_EQ(sum, 3);
  producer.join();
}

}  // namespace
}  // namespace berth
