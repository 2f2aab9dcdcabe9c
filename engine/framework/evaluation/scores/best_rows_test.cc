// The rows with the best total against a plain search for them.

#include "engine/framework/evaluation/scores/best_rows.h"

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

// The row that Go's container/heap gives out first: heap.Init over the feasible rows in the order
// of the search, then the root.
model::Row first_of_go_heap(const SearchResult& search_result) {
  std::vector<model::Row> heap;
  search_result.for_each_row([&](model::Row row) {
    if (search_result.refuser[row] == kFeasible) heap.push_back(row);
  });
  const auto less = [&](size_t a, size_t b) {
    return search_result.total(heap[a]) > search_result.total(heap[b]);
  };
  const size_t count = heap.size();
  for (size_t first = count / 2; first-- > 0;)
    for (size_t i = first, child = 2 * i + 1; child < count; child = 2 * i + 1) {
      if (child + 1 < count && less(child + 1, child)) ++child;
      if (!less(child, i)) break;
      std::swap(heap[i], heap[child]);
      i = child;
    }
  return heap.front();
}

void check(const SearchResult& search_result) {
  BestRows best;
  best.find(search_result);
  const std::vector<model::Row> expected = plainly(search_result);
  RC_ASSERT(best.count() == expected.size());
  for (size_t i = 0; i < expected.size(); ++i) RC_ASSERT(best.at(i) == expected[i]);
  RC_ASSERT(best.first_by([](model::Row a, model::Row b) { return a > b; }) == expected.back());
  RC_ASSERT(best.first_in_heap() == first_of_go_heap(search_result));
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

// Some rows refused, and one or a few of many with the best total, wherever they stand.
RC_GTEST_PROP(BestRows, ComeOutOfAHeapInPreOrder, ()) {
  const auto rows = *rc::gen::inRange<model::Row>(1, 1000);
  const auto start = *rc::gen::inRange<model::Row>(0, rows);
  SearchResult search_result = random_window(rows, start);
  const auto best = *rc::gen::inRange(1, 8);
  for (int i = 0; i < best; ++i) {
    const auto row = *rc::gen::inRange<model::Row>(0, rows);
    if (search_result.refuser[row] == kFeasible) search_result.totals[row] = 9;
  }
  check(search_result);
}

TEST(HeapWinner, IsTheFirstInPreOrder) {
  const auto winner = [](std::vector<uint64_t> best) {
    return heap_winner(15, [&](uint64_t at) { return std::ranges::count(best, at) != 0; });
  };
  EXPECT_EQ(winner({0, 1, 2}), 0u);
  EXPECT_EQ(winner({2, 7}), 7u);
  EXPECT_EQ(winner({5, 11, 6}), 5u);
  EXPECT_EQ(winner({6, 12}), 12u);
  EXPECT_EQ(winner({2, 5}), 2u);
  EXPECT_EQ(winner({14, 10}), 10u);
  EXPECT_EQ(winner({}), std::nullopt);
}

bool one_in(int number) { return *rc::gen::resize(100, rc::gen::inRange(0, number)) == 0; }

// A window of rows whose totals are kept, and what a ranking knows of them. Its first row is
// feasible.
class KeptWindow {
 public:
  explicit KeptWindow(RowClass classes);
  const SearchResult& result() const { return result_; }

 private:
  static constexpr RowClass kRefused = 0;  // of several classes

  void add_row(model::Row row, bool feasible, KeptTotal total, RowClass of);
  void rank(RowClass classes);
  void as_one_class(SearchResult::Ranked& ranked) const;

  model::Row rows_ = one_in(20) ? kTotalGroup * kTotalBlock + 100  // two groups
                                : *rc::gen::inRange<model::Row>(1, 600);
  size_t blocks_ = (rows_ + kTotalBlock - 1) / kTotalBlock;
  std::vector<KeptTotal> totals_ = std::vector<KeptTotal>(blocks_ * kTotalBlock);
  std::vector<RowClass> of_rows_ = std::vector<RowClass>(blocks_ * kTotalBlock);
  RowBits open_ = RowBits(blocks_);
  RowBits by_class_;  // at block * stride + class
  std::vector<int64_t> parts_;
  BestTotals best_;
  SearchResult result_;
};

void KeptWindow::add_row(model::Row row, bool feasible, KeptTotal total, RowClass of) {
  const uint64_t bit = uint64_t{1} << row % kTotalBlock;
  totals_[row] = total;
  of_rows_[row] = of;
  by_class_[row / kTotalBlock * parts_.size() + of] |= bit;
  if (feasible) open_[row / kTotalBlock] |= bit;
}

void KeptWindow::rank(RowClass classes) {
  best_.resize(blocks_);
  best_.follow(totals_.data(), classes > 1 ? of_rows_.data() : nullptr, classes, open_, {});
  FeasibleRows& feasible = result_.feasible_rows;
  feasible.open = open_.data();
  SearchResult::Ranked& ranked = result_.ranked;
  ranked.totals = totals_.data();
  if (classes > 1) {
    feasible.classes = by_class_.data();
    feasible.stride = feasible.count = classes;
    feasible.refuse(uint64_t{1} << kRefused);
    ranked.classes = of_rows_.data();
    ranked.parts = parts_.data();
    ranked.allowed = feasible.allowed();
  }
  ranked.blocks = best_.blocks();
  ranked.groups = best_.groups();
  ranked.stride = best_.stride();
  ranked.present = best_.present();
  if (classes == 2 && one_in(2)) as_one_class(ranked);
}

// One of two classes is refused, so that rows may be given out as if there were no classes.
void KeptWindow::as_one_class(SearchResult::Ranked& ranked) const {
  const RowClass one = 1 - kRefused;
  ranked.classes = nullptr;
  ranked.part = parts_[one];
  ranked.allowed = 1;
  ranked.blocks += one;
  ranked.groups += one;
  ranked.present = nullptr;
}

KeptWindow::KeptWindow(RowClass classes) : by_class_(blocks_ * classes), parts_(classes) {
  const auto start = *rc::gen::inRange<model::Row>(0, rows_);
  const auto length = one_in(3) ? rows_ : *rc::gen::inRange<model::Row>(1, rows_ + 1);
  const int highest = *rc::gen::inRange(1, 6);
  // Most blocks are as good as the best ones, and some are better.
  const auto levels = *rc::gen::container<std::vector<int>>(blocks_, rc::gen::element(0, 0, 1, 2));
  if (classes > 1)
    for (int64_t& part : parts_) part = *rc::gen::inRange(-1, 3);
  result_.begin(rows_);
  for (model::Row row = 0; row < rows_; ++row) {
    const auto of =
        static_cast<RowClass>(row == start ? classes - 1 : *rc::gen::inRange(0, +classes));
    add_row(row, row == start || *rc::gen::inRange(0, 5) != 0,
            levels[row / kTotalBlock] + *rc::gen::inRange(0, highest), of);
  }
  const auto end = static_cast<model::Row>(std::min<size_t>(rows_, size_t{start} + length));
  result_.pieces.emplace_back(start, end);
  if (end - start < length) result_.pieces.emplace_back(0, length - (end - start));
  rank(classes);
  result_.for_each_row([&](model::Row row) {
    const uint64_t word = result_.feasible_rows.word(row / kTotalBlock);
    const bool feasible = (word >> row % kTotalBlock & 1) != 0;
    result_.refuser[row] = feasible ? kFeasible : Refuser{1};
    ++(feasible ? result_.feasible : result_.refused);
  });
}

RC_GTEST_PROP(BestRows, OfKeptTotalsAreThoseWithTheHighestTotal, ()) {
  check(KeptWindow(1).result());
}

RC_GTEST_PROP(BestRows, OfKeptTotalsByClassAreThoseWithTheHighestTotal, ()) {
  check(KeptWindow(one_in(3) ? 2 : *rc::gen::inRange<RowClass>(2, 6)).result());
}

}  // namespace
}  // namespace berth::framework
