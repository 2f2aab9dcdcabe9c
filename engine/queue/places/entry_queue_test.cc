#include "engine/queue/places/entry_queue.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace berth::queue {
namespace {

struct Number {
  uint32_t value = 0;
  uint32_t id = 0;
  bool before(const Number& other) const {
    return std::pair(value, id) < std::pair(other.value, other.id);
  }
};

// Pushes, removals and pops against a set. Values in ascending pieces fill runs; values at random
// fill the heap.
RC_GTEST_PROP(EntryQueue, GivesTheFirstValidEntry,
              (std::vector<std::pair<uint16_t, uint8_t>> steps, bool ascending)) {
  EntryQueue<Number> queue;
  std::set<std::pair<uint32_t, uint32_t>> expected;
  const auto valid = [&](const Number& n) { return expected.contains({n.value, n.id}); };
  for (uint32_t i = 0; i < steps.size(); ++i) {
    const auto [drawn, what] = steps[i];
    if (what % 4 == 0) {
      const Number* first = queue.first(valid);
      RC_ASSERT((first != nullptr) == !expected.empty());
      if (first == nullptr) continue;
      RC_ASSERT(std::pair(first->value, first->id) == *expected.begin());
      queue.drop_first();
      expected.erase(expected.begin());
    } else if (what % 4 == 1 && !expected.empty()) {
      expected.erase(std::next(expected.begin(), drawn % static_cast<long>(expected.size())));
      queue.forget(valid);
    } else {
      const uint32_t value = ascending ? (drawn % 3) * 100'000 + i : drawn;
      queue.push({value, i});
      expected.insert({value, i});
    }
    RC_ASSERT(queue.size() == expected.size());
  }
}

TEST(EntryQueue, SortsWhateverTheOrderOfEntry) {
  EntryQueue<Number> queue;
  const auto valid = [](const Number&) { return true; };
  constexpr uint32_t kCount = 10'007;
  for (uint32_t i = 0; i < kCount; ++i) queue.push({i * 7919 % kCount, i});
  for (uint32_t i = 0; i < kCount; ++i) {
    ASSERT_EQ(queue.first(valid)->value, i);
    queue.drop_first();
  }
  EXPECT_EQ(queue.first(valid), nullptr);
}

TEST(EntryQueue, DropsInvalidEntries) {
  EntryQueue<Number> queue;
  uint32_t last = 0;
  const auto valid = [&](const Number& n) { return n.value == 0 || n.value == last; };
  queue.push({0, 0});
  for (uint32_t i = 200'000; i > 1; --i) {
    queue.push({i, i});
    last = i - 1;
    queue.forget(valid);
  }
  EXPECT_LT(queue.entries(), 10'000u);
  EXPECT_EQ(queue.size(), 1u);
  size_t seen = 0;
  queue.for_each([&](const Number& n) { seen += n.value == 0; });
  EXPECT_EQ(seen, 1u);
}

// The heap is built anew from what is left.
TEST(EntryQueue, KeepsTheOrderWhenInvalidEntriesAreDropped) {
  EntryQueue<Number> queue;
  constexpr uint32_t kCount = 10'007;
  std::vector<bool> gone(kCount);
  const auto valid = [&](const Number& n) { return !gone[n.value]; };
  for (uint32_t i = 0; i < kCount; ++i) queue.push({i * 7919 % kCount, i});
  for (uint32_t i = 0; i < kCount; ++i) {
    if (i % 3 == 0) continue;
    gone[i] = true;
    queue.forget(valid);
  }
  EXPECT_LT(queue.entries(), kCount - 1000u);
  for (uint32_t i = 0; i < kCount; i += 3) {
    ASSERT_EQ(queue.first(valid)->value, i);
    queue.drop_first();
  }
  EXPECT_EQ(queue.size(), 0u);
}

}  // namespace
}  // namespace berth::queue
