#include "engine/base/text/suggestion.h"

#include <algorithm>
#include <cstddef>

#include "engine/base/text/characters.h"

namespace berth {
namespace {

constexpr size_t kLongestTyped = 100;  // beyond that nothing is compared: the cost is quadratic

// The optimal string alignment distance, row by row.
size_t edits(std::string_view a, std::string_view b) {
  std::vector<size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const bool equal = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (equal ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::string nearest_word(std::string_view typed, const std::vector<std::string>& candidates) {
  if (typed.size() > kLongestTyped) return {};
  size_t fewest = (typed.size() + 2) / 3 + 1;
  std::string nearest;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kLongestTyped) continue;
    const size_t needed = edits(typed, candidate);
    if (needed >= fewest) continue;
    fewest = needed;
    nearest = candidate;
  }
  return nearest;
}

}  // namespace berth
