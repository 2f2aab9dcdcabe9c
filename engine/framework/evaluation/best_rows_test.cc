// The rows with the best total against a plain search for them.

#include "engine/framework/evaluation/best_rows.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace berth::framework {
namespace {

// All rows from `start` around, each refused or with a total from a few.
SearchResult random_window(model::Row rows, model::Row start) {
  SearchResult search_result;
  search_result.begin(rows);
  for (model::Row row = 0; row < rows; ++row) {
    const int kind = *rc::gen::inRange(0, 6);
    search_result.refuser[row] = kind == 0 ? Refuser{1} : kFeasible;
    search_result.totals[row] = kind == 0 ? kRefusedTotal + 5000 : kind / 2;
    if (kind != 0) ++search_result.feasible;
  }
  if (start < rows) search_result.pieces.emplace_back(start, rows);
  if (start > 0) search_result.pieces.emplace_back(0, start);
  return search_result;
}

std::vector<model::Row> plainly(const SearchResult& search_result) {
  std::vector<model::Row> best;
  int64_t highest = INT64_MIN;
  search_result.for_each_row([&](model::Row row) {
    if (search_result.refuser[row] == kFeasible)
      highest = std::max(highest, search_result.total(row));
  });
  search_result.for_each_row([&](model::Row row) {
    if (search_result.refuser[row] == kFeasible && search_result.total(row) == highest)
      best.push_back(row);
  });
  std::sort(best.begin(), best.end());
  return best;
}

void check(const SearchResult& search_result) {
  BestRows best;
  best.find(search_result);
  const std::vector<model::Row> expected = plainly(search_result);
  RC_ASSERT(best.count() == expected.size());
  for (size_t i = 0; i < expected.size(); ++i) RC_ASSERT(best.at(i) == expected[i]);
  RC_ASSERT(best.first_by([](model::Row a, model::Row b) { return a > b; }) == expected.back());
}

RC_GTEST_PROP(BestRows, AreThoseWithTheHighestTotal, ()) {
  const auto rows = *rc::gen::inRange<model::Row>(1, 400);
  SearchResult search_result = random_window(rows, *rc::gen::inRange<model::Row>(0, rows));
  RC_PRE(search_result.feasible != 0);
  check(search_result);
  search_result.listed = true;
  for (auto [begin, end] : search_result.pieces)
    for (model::Row row = begin; row < end; row += 1 + row % 3) search_result.list.push_back(row);
  if (plainly(search_result).empty()) return;
  check(search_result);
}

}  // namespace
}  // namespace berth::framework
