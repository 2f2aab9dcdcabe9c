#include "engine/queue/active_queue.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace berth::queue {
namespace {

SortKey key(uint8_t first) {
  SortKey bytes{};
  bytes[0] = first;
  return bytes;
}

model::PodId pod(uint32_t index, uint32_t generation = 1) { return {index, generation}; }

TEST(ActiveQueue, IsEmptyAtFirst) {
  ActiveQueue queue;
  EXPECT_FALSE(queue.pop().has_value());
  EXPECT_EQ(queue.size(), 0u);
  EXPECT_FALSE(queue.contains(pod(3)));
  EXPECT_FALSE(queue.remove(pod(3)));
}

TEST(ActiveQueue, ARemovedPodDoesNotLeaveAndMayComeBack) {
  ActiveQueue queue;
  for (uint32_t i = 0; i < 3; ++i) queue.push(key(1), pod(i));
  EXPECT_TRUE(queue.remove(pod(1)));
  EXPECT_FALSE(queue.remove(pod(1)));
  queue.push(key(0), pod(1));
  EXPECT_EQ(queue.pop(), pod(1));
  EXPECT_EQ(queue.pop(), pod(0));
  EXPECT_EQ(queue.pop(), pod(2));
  EXPECT_EQ(queue.pop(), std::nullopt);
}

TEST(ActiveQueue, AnUpdateMovesThePod) {
  ActiveQueue queue;
  for (uint32_t i = 0; i < 3; ++i) queue.push(key(static_cast<uint8_t>(10 + i)), pod(i));
  queue.update(key(1), pod(2));
  queue.update(key(20), pod(0));
  EXPECT_EQ(queue.size(), 3u);
  EXPECT_EQ(queue.pop(), pod(2));
  EXPECT_EQ(queue.pop(), pod(1));
  EXPECT_EQ(queue.pop(), pod(0));
}

TEST(ActiveQueue, AnotherPodOfTheSameRowIsAnotherPod) {
  ActiveQueue queue;
  queue.push(key(1), pod(0, 1));
  queue.remove(pod(0, 1));
  queue.push(key(2), pod(0, 2));
  EXPECT_FALSE(queue.contains(pod(0, 1)));
  EXPECT_EQ(queue.pop(), pod(0, 2));
  EXPECT_EQ(queue.pop(), std::nullopt);
}

TEST(ActiveQueueDeathTest, APodIsQueuedOnce) {
  ActiveQueue queue;
  queue.push(key(1), pod(0));
  EXPECT_DEATH(queue.push(key(1), pod(0)), "");
}

RC_GTEST_PROP(ActiveQueue, PopsByKeyAndThenByEntry, (std::vector<uint8_t> keys)) {
  ActiveQueue queue;
  std::vector<std::pair<uint8_t, uint32_t>> expected;
  for (uint32_t i = 0; i < keys.size(); ++i) {
    queue.push(key(keys[i]), pod(i));
    expected.emplace_back(keys[i], i);
  }
  std::sort(expected.begin(), expected.end());
  for (const auto& [first, number] : expected) RC_ASSERT(queue.pop() == pod(number));
  RC_ASSERT(!queue.pop().has_value());
}

// Pushes, pops, removals and updates against a plain list.
RC_GTEST_PROP(ActiveQueue, KeepsTheOrderAcrossAllOperations,
              (std::vector<std::pair<uint8_t, uint8_t>> steps)) {
  struct Waiting {
    uint8_t key;
    uint64_t entry;
    model::PodId pod;
    bool operator<(const Waiting& other) const {
      return std::pair(key, entry) < std::pair(other.key, other.entry);
    }
  };
  ActiveQueue queue;
  std::vector<Waiting> waiting;
  uint64_t entries = 0;
  for (uint32_t i = 0; i < steps.size(); ++i) {
    const auto [first, what] = steps[i];
    if (what % 4 == 0 && !waiting.empty()) {
      const auto next = std::min_element(waiting.begin(), waiting.end());
      RC_ASSERT(queue.pop() == next->pod);
      waiting.erase(next);
    } else if (what % 4 == 1 && !waiting.empty()) {
      const auto gone = waiting.begin() + static_cast<long>(first % waiting.size());
      RC_ASSERT(queue.remove(gone->pod));
      waiting.erase(gone);
    } else if (what % 4 == 2 && !waiting.empty()) {
      Waiting& moved = waiting[first % waiting.size()];
      moved.key = first;
      moved.entry = entries++;
      queue.update(key(first), moved.pod);
    } else {
      waiting.push_back({first, entries++, pod(i)});
      queue.push(key(first), pod(i));
    }
    RC_ASSERT(queue.size() == waiting.size());
  }
}

// A queue whose pods are removed rather than popped does not grow.
TEST(ActiveQueue, DropsStaleEntries) {
  ActiveQueue queue;
  queue.push(key(9), pod(0));
  for (uint32_t i = 1; i < 200'000; ++i) {
    queue.push(key(1), pod(1, i));
    queue.remove(pod(1, i));
  }
  EXPECT_LT(queue.entries(), 10'000u);
  EXPECT_EQ(queue.pop(), pod(0));
}

}  // namespace
}  // namespace berth::queue
