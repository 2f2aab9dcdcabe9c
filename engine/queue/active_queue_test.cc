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

model::PodRecord pod(uint64_t number) {
  model::PodRecord ref;
  ref.queued_at = number;
  return ref;
}

TEST(ActiveQueue, IsEmptyAtFirst) {
  ActiveQueue queue;
  EXPECT_FALSE(queue.pop().has_value());
  EXPECT_EQ(queue.size(), 0u);
}

RC_GTEST_PROP(ActiveQueue, PopsByKeyAndThenByEntry, (std::vector<uint8_t> keys)) {
  ActiveQueue queue;
  std::vector<std::pair<uint8_t, uint64_t>> expected;
  for (size_t i = 0; i < keys.size(); ++i) {
    queue.push(key(keys[i]), pod(i));
    expected.emplace_back(keys[i], i);
  }
  std::sort(expected.begin(), expected.end());
  for (const auto& [first, number] : expected) {
    std::optional<QueuedPod> next = queue.pop();
    RC_ASSERT(next.has_value());
    RC_ASSERT(next->key[0] == first);
    RC_ASSERT(next->pod.queued_at == number);
  }
  RC_ASSERT(!queue.pop().has_value());
}

RC_GTEST_PROP(ActiveQueue, PushesBetweenPopsKeepTheOrder, (std::vector<uint8_t> keys)) {
  ActiveQueue queue;
  std::vector<std::pair<uint8_t, uint64_t>> waiting;
  for (size_t i = 0; i < keys.size(); ++i) {
    queue.push(key(keys[i]), pod(i));
    waiting.emplace_back(keys[i], i);
    if (keys[i] % 3 != 0) continue;
    auto first = std::min_element(waiting.begin(), waiting.end());
    RC_ASSERT(queue.pop()->pod.queued_at == first->second);
    waiting.erase(first);
  }
  RC_ASSERT(queue.size() == waiting.size());
}

}  // namespace
}  // namespace berth::queue
