#pragma once

#include <algorithm>
#include <vector>

namespace berth {

// Sorts the values, and leaves each once.
template <typename T>
void sort_once(std::vector<T>& values) {
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace berth
