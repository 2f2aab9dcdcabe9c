#include "bench/macro/sweep/front.h"

#include <algorithm>
#include <numeric>

namespace berth::bench {
namespace {

// Of rows that are not equal.
bool at_most(const Costs& a, const Costs& b) {
  return std::equal(a.begin(), a.end(), b.begin(), [](double x, double y) { return x <= y; });
}

}  // namespace

// In the order of their costs, a row can only be worse than one before it, and if it is worse than
// any, then than one of the front.
std::vector<bool> front_of(const std::vector<Costs>& rows) {
  std::vector<size_t> order(rows.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, [&](size_t a, size_t b) { return rows[a] < rows[b]; });
  std::vector<bool> front(rows.size());
  std::vector<size_t> kept;
  for (const size_t row : order) {
    front[row] = std::ranges::none_of(kept, [&](size_t other) {
      return rows[other] != rows[row] && at_most(rows[other], rows[row]);
    });
    if (front[row]) kept.push_back(row);
  }
  return front;
}

}  // namespace berth::bench
