// The rows with the best total against a plain search for them.

#include "engine/framework/evaluation/best_rows.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/framework/ranking/totals/best_totals.h"

namespace berth::framework {
namespace {

// All rows from `start` around, each refused or with a total from a few; the first is feasible.
SearchResult random_window(model::Row rows, model::Row start) {
  SearchResult search_result;
  search_result.begin(rows);
  for (model::Row row = 0; row < rows; ++row) {
    const int kind = *rc::gen::inRange(row == start ? 1 : 0, 6);
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
  check(search_result);
  search_result.listed = true;
  for (auto [begin, end] : search_result.pieces)
    for (model::Row row = begin; row < end; row += 1 + row % 3) search_result.list.push_back(row);
  if (plainly(search_result).empty()) return;
  check(search_result);
}

// A window of rows whose totals are kept. Its first row is feasible.
RC_GTEST_PROP(BestRows, OfKeptTotalsAreThoseWithTheHighestTotal, ()) {
  const auto rows = *rc::gen::inRange<model::Row>(1, 600);
  const size_t blocks = (rows + kTotalBlock - 1) / kTotalBlock;
  const auto start = *rc::gen::inRange<model::Row>(0, rows);
  const auto length = *rc::gen::inRange<model::Row>(1, rows + 1);
  const int highest = *rc::gen::inRange(1, 6);
  // Most blocks are as good as the best ones, and some are better.
  const auto levels = *rc::gen::container<std::vector<int>>(blocks, rc::gen::element(0, 0, 1, 2));
  std::vector<KeptTotal> totals(blocks * kTotalBlock);
  RowBits open(blocks);
  SearchResult search_result;
  search_result.begin(rows);
  for (model::Row row = 0; row < rows; ++row) {
    totals[row] = levels[row / kTotalBlock] + *rc::gen::inRange(0, highest);
    if (row == start || *rc::gen::inRange(0, 5) != 0)
      open[row / kTotalBlock] |= uint64_t{1} << row % kTotalBlock;
  }
  const auto end = static_cast<model::Row>(std::min<size_t>(rows, size_t{start} + length));
  search_result.pieces.emplace_back(start, end);
  if (end - start < length) search_result.pieces.emplace_back(0, length - (end - start));
  BestTotals best;
  best.resize(blocks);
  best.follow(totals.data(), nullptr, 1, open, {});
  search_result.feasible_rows.open = open.data();
  search_result.ranked.totals = totals.data();
  search_result.ranked.blocks = best.blocks();
  search_result.ranked.groups = best.groups();
  search_result.ranked.stride = best.stride();
  search_result.for_each_row([&](model::Row row) {
    const bool feasible = (open[row / kTotalBlock] >> row % kTotalBlock & 1) != 0;
    search_result.refuser[row] = feasible ? kFeasible : Refuser{1};
    ++(feasible ? search_result.feasible : search_result.refused);
  });
  check(search_result);
}

}  // namespace
}  // namespace berth::framework
