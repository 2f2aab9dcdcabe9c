#include "plugins/priority_sort/priority_sort.h"

namespace berth::plugins {

void PrioritySort::keys(const Call& call, std::span<sdk::SortKey> keys) const {
  const auto priorities = call[priority_];
  const auto times = call[queued_at_];
  for (size_t i = 0; i < keys.size(); ++i) {
    // The complement reverses the order. Unlike the negative, it exists for every number.
    sdk::put_ordered(keys[i], ~priorities[i]);
    sdk::put_ordered(keys[i] + 8, times[i]);
  }
}

}  // namespace berth::plugins
