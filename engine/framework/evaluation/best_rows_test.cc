// The rows with the best total against a plain search for them.

#include "engine/framework/evaluation/best_rows.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace berth::framework {
namespace {

// All rows from `start` around, each refused or with a total from a few.
SearchResult random_window(model::Row rows, model::Row start) {
  SearchResult window;
  window.begin(rows);
  for (model::Row row = 0; row < rows; ++row) {
    const int kind = *rc::gen::inRange(0, 6);
    window.refuser[row] = kind == 0 ? Refuser{1} : kFeasible;
    window.total[row] = kind == 0 ? kRefusedTotal + 5000 : kind / 2;
    if (kind != 0) ++window.feasible;
  }
  if (start < rows) window.pieces.emplace_back(start, rows);
  if (start > 0) window.pieces.emplace_back(0, start);
  return window;
}

std::vector<model::Row> plainly(const SearchResult& window) {
  std::vector<model::Row> best;
  int64_t highest = INT64_MIN;
  window.for_each_row([&](model::Row row) {
    if (window.refuser[row] == kFeasible) highest = std::max(highest, window.total[row]);
  });
  window.for_each_row([&](model::Row row) {
    if (window.refuser[row] == kFeasible && window.total[row] == highest) best.push_back(row);
  });
  std::sort(best.begin(), best.end());
  return best;
}

void check(const SearchResult& window) {
  BestRows best;
  best.find(window);
  const std::vector<model::Row> expected = plainly(window);
  RC_ASSERT(best.count() == expected.size());
  for (size_t i = 0; i < expected.size(); ++i) RC_ASSERT(best.at(i) == expected[i]);
  RC_ASSERT(best.first_by([](model::Row a, model::Row b) { return a > b; }) == expected.back());
}

RC_GTEST_PROP(BestRows, AreThoseWithTheHighestTotal, ()) {
  const auto rows = *rc::gen::inRange<model::Row>(1, 400);
  SearchResult window = random_window(rows, *rc::gen::inRange<model::Row>(0, rows));
  RC_PRE(window.feasible != 0);
  check(window);
  window.listed = true;
  for (auto [begin, end] : window.pieces)
    for (model::Row row = begin; row < end; row += 1 + row % 3) window.list.push_back(row);
  if (plainly(window).empty()) return;
  check(window);
}

}  // namespace
}  // namespace berth::framework
