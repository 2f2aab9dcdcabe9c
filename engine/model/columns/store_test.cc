// Tests of the storage classes: strings, columns and the change log.

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "engine/model/columns/change_log.h"
#include "engine/model/columns/column.h"
#include "engine/model/columns/gathered.h"
#include "engine/model/columns/strings.h"

namespace berth::model {
namespace {

TEST(Strings, EqualTextsHaveEqualIds) {
  Strings strings;
  StringId a = strings.intern("a");
  EXPECT_EQ(a, 1u);
  EXPECT_EQ(strings.intern("b"), 2u);
  EXPECT_EQ(strings.intern("a"), a);
  EXPECT_EQ(strings.size(), 3u);
  EXPECT_EQ(strings.find("b"), 2u);
  EXPECT_EQ(strings.find("c"), 0u);
  EXPECT_EQ(strings.size(), 3u);
}

TEST(Strings, AbsentAndEmptyAreTwoThings) {
  Strings strings;
  EXPECT_EQ(strings.text(0), "");
  EXPECT_EQ(strings.find(""), 0u);
  StringId empty = strings.intern("");
  EXPECT_NE(empty, 0u);
  EXPECT_EQ(strings.intern(""), empty);
  EXPECT_EQ(strings.text(empty), "");
}

TEST(Strings, TextsStayWhereTheyAre) {
  Strings strings;
  std::vector<const char*> places;
  auto text = [](int i) { return "a text of some length, number " + std::to_string(i); };
  for (int i = 0; i < 20'000; ++i) places.push_back(strings.text(strings.intern(text(i))).data());
  std::string large(200'000, 'x');
  EXPECT_EQ(strings.text(strings.intern(large)), large);
  std::string zero("a\0b", 3);
  EXPECT_EQ(strings.text(strings.intern(zero)), zero);
  EXPECT_NE(strings.intern("a"), strings.intern(zero));
  for (int i = 0; i < 20'000; ++i) {
    StringId id = strings.find(text(i));
    ASSERT_EQ(id, static_cast<StringId>(i + 1));
    ASSERT_EQ(strings.text(id), text(i));
    ASSERT_EQ(strings.text(id).data(), places[static_cast<size_t>(i)]);
  }
}

class Columns : public testing::Test {
 protected:
  std::vector<uint32_t> list(const Column& column, size_t position) {
    auto values = column.list_at<uint32_t>(position);
    return {values.begin(), values.end()};
  }

  Arena arena_;
  AlignedBytes scratch_;
};

TEST_F(Columns, NewPositionsAreZero) {
  Column column(arena_, BERTH_I64, false);
  EXPECT_EQ(column.count(), 0u);
  column.resize(3);
  column.values<int64_t>()[2] = 7;
  column.resize(1000);
  EXPECT_EQ(column.values<int64_t>()[2], 7);
  for (size_t i = 3; i < 1000; ++i) ASSERT_EQ(column.values<int64_t>()[i], 0);
  column.resize(2);
  column.resize(3);
  EXPECT_EQ(column.values<int64_t>()[2], 0);
}

TEST_F(Columns, ViewsAreAlignedAndPadded) {
  for (uint32_t type : {BERTH_U8, BERTH_U32, BERTH_I32, BERTH_I64, BERTH_U64, BERTH_F64}) {
    Column column(arena_, type, false);
    column.resize(65);
    berth_column view = column.view();
    EXPECT_EQ(reinterpret_cast<uintptr_t>(view.data) % 64, 0u);
    EXPECT_EQ(view.count, 65u);
    EXPECT_EQ(view.type, type);
    EXPECT_EQ(view.starts, nullptr);
    // 64 bytes after the last value are readable.
    const auto* bytes = static_cast<const uint8_t*>(view.data);
    EXPECT_EQ(std::accumulate(bytes, bytes + 65 * element_size(type) + 64, 0), 0);
  }
}

TEST_F(Columns, AnEmptyColumnHasReadableMemory) {
  Column flat(arena_, BERTH_U32, false);
  EXPECT_NE(flat.view().data, nullptr);
  Column lists(arena_, BERTH_U32, true);
  EXPECT_NE(lists.view().data, nullptr);
  EXPECT_NE(lists.view().starts, nullptr);
  EXPECT_NE(lists.view().sizes, nullptr);
}

TEST_F(Columns, EveryTouchIsAnotherGeneration) {
  Column column(arena_, BERTH_U8, false);
  column.set_dictionary_size(9);
  uint64_t before = column.view().generation;
  EXPECT_NE(before, 0u);
  column.touch();
  EXPECT_GT(column.view().generation, before);
  EXPECT_EQ(column.view().dictionary_size, 9u);
}

TEST_F(Columns, PermuteReordersAndDrops) {
  Column column(arena_, BERTH_U32, false);
  column.resize(4);
  for (uint32_t i = 0; i < 4; ++i) column.values<uint32_t>()[i] = 10 + i;
  uint64_t before = column.generation();
  column.permute(0, std::vector<uint32_t>{3, 0, 2}, scratch_);
  EXPECT_EQ(column.count(), 3u);
  EXPECT_EQ(column.values<uint32_t>()[0], 13u);
  EXPECT_EQ(column.values<uint32_t>()[1], 10u);
  EXPECT_EQ(column.values<uint32_t>()[2], 12u);
  EXPECT_GT(column.generation(), before);
  column.permute(0, {}, scratch_);
  EXPECT_EQ(column.count(), 0u);
}

TEST_F(Columns, PermutedListsStayLists) {
  Column column(arena_, BERTH_U32, true);
  column.resize(3);
  column.set_list<uint32_t>(0, std::vector<uint32_t>{1, 2, 3});
  column.set_list<uint32_t>(2, std::vector<uint32_t>{4});
  column.permute(0, std::vector<uint32_t>{2, 1, 0}, scratch_);
  EXPECT_EQ(list(column, 0), (std::vector<uint32_t>{4}));
  EXPECT_EQ(list(column, 1), (std::vector<uint32_t>{}));
  EXPECT_EQ(list(column, 2), (std::vector<uint32_t>{1, 2, 3}));
  column.set_list<uint32_t>(1, std::vector<uint32_t>{5, 6});
  EXPECT_EQ(list(column, 0), (std::vector<uint32_t>{4}));
  EXPECT_EQ(list(column, 2), (std::vector<uint32_t>{1, 2, 3}));
}

// Answers that were computed from a block stay valid as long as its values are the same.
TEST_F(Columns, PermutingTouchesBlocksWhoseValuesDiffer) {
  constexpr uint32_t kRows = 4 * Column::kBlock;
  Column even(arena_, BERTH_I64, false), own(arena_, BERTH_U32, false),
      lists(arena_, BERTH_U32, true);
  for (Column* column : {&even, &own, &lists}) column->resize(kRows);
  for (uint32_t i = 0; i < kRows; ++i) {
    even.values<int64_t>()[i] = 7;
    own.values<uint32_t>()[i] = i;
    lists.set_list<uint32_t>(i, std::vector<uint32_t>{i / 70});
  }
  auto generations = [](const Column& column) {
    std::vector<uint64_t> all;
    for (uint32_t block = 0; block < 4; ++block) all.push_back(column.generation_of(block));
    return all;
  };
  const auto even_before = generations(even), own_before = generations(own);
  const auto lists_before = generations(lists);
  const uint64_t whole = even.generation();
  // Position 100 goes.
  std::vector<uint32_t> order;
  for (uint32_t i = 101; i < kRows; ++i) order.push_back(i);
  for (Column* column : {&even, &own, &lists}) column->permute(100, order, scratch_);
  EXPECT_EQ(generations(even), even_before);
  EXPECT_NE(even.generation(), whole);  // there are fewer
  for (uint32_t block = 0; block < 4; ++block) {
    EXPECT_EQ(own.generation_of(block) == own_before[block], block == 0) << block;
    // Lists begin with another value at 70, 140 and 210: those at 140 and 210 moved.
    EXPECT_EQ(lists.generation_of(block) == lists_before[block], block < 2) << block;
  }
  for (uint32_t i = 0; i + 1 < kRows; ++i) {
    const uint32_t from = i < 100 ? i : i + 1;
    ASSERT_EQ(own.values<uint32_t>()[i], from);
    ASSERT_EQ(list(lists, i), std::vector<uint32_t>{from / 70});
  }
}

// A column of lists before and after rows moved.
struct MovedLists {
  using Lists = std::vector<std::vector<uint32_t>>;

  // True if the lists of the block differ, but for that of a node that came.
  bool differ(uint32_t block) const {
    for (Row row = block * Column::kBlock; row < (block + 1) * Column::kBlock; ++row)
      if (row < after.size() && row != came && (row >= before.size() || after[row] != before[row]))
        return true;
    return false;
  }

  Lists before, after;
  Row came = kNoRow;
};

MovedLists moved_by(const RowShift& shift, MovedLists::Lists lists) {
  MovedLists made{lists, MovedLists::Lists(shift.comes ? lists.size() + 1 : lists.size() - 1)};
  for (Row row = 0; row < lists.size(); ++row)
    if (const Row to = shift.moved(row); to != kNoRow) made.after[to] = lists[row];
  if (shift.comes) made.came = shift.at;
  return made;
}

TEST_F(Columns, MovedRowsTouchBlocksWhoseListsDiffer) {
  constexpr Row kRows = 5 * Column::kBlock;
  const RowShift goes{.at = 70, .rows = kRows, .chain = {{70, 3, 83}, {317, 1, 3}}};
  const RowShift comes{.comes = true, .at = 70, .rows = kRows, .chain = {}};
  const std::vector<uint32_t> some{7, 8};
  const std::vector<std::function<std::vector<uint32_t>(Row)>> kinds = {
      [](Row row) { return std::vector<uint32_t>{row}; },             // of its own
      [&](Row) { return some; },                                      // the same for all
      [](Row) { return std::vector<uint32_t>{}; },                    // empty for all
      [&](Row row) { return row == 200 ? some : decltype(some){}; },  // of one row
      [](Row row) { return std::vector<uint32_t>(row / 100, 1); },    // as long as those around it
  };
  for (const RowShift& shift : {goes, comes})
    for (const auto& kind : kinds) {
      Column column(arena_, BERTH_U32, true);
      column.resize(kRows);
      MovedLists::Lists lists;
      for (Row row = 0; row < kRows; ++row)
        column.put_list<uint32_t>(row, lists.emplace_back(kind(row)));
      const MovedLists moved = moved_by(shift, lists);
      std::vector<uint64_t> known;
      for (uint32_t block = 0; block < 5; ++block) known.push_back(column.generation_of(block));
      const Row after = static_cast<Row>(moved.after.size());
      BlockBits differ;
      column.renumber(
          {.before = kRows, .after = after, .most = std::max(kRows, after), .shifts = {shift}},
          differ);
      for (Row row = 0; row < after; ++row) ASSERT_EQ(list(column, row), moved.after[row]) << row;
      for (uint32_t block = 0; block < 5; ++block) {
        if (block == moved.came / Column::kBlock) continue;
        EXPECT_EQ(column.generation_of(block) != known[block], moved.differ(block)) << block;
      }
    }
}

// A cluster may have more resources than nodes, each on one of them.
TEST_F(Columns, AColumnOfZerosTakesNoMemory) {
  constexpr size_t kPositions = size_t{1} << 21;
  Column column(arena_, BERTH_I64, false);
  column.resize(kPositions);
  EXPECT_FALSE(column.put<int64_t>(5, 0));
  EXPECT_TRUE(column.put<int64_t>(kPositions / 2, 1));
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const auto begin =
      (reinterpret_cast<uintptr_t>(column.values<int64_t>()) + page - 1) & ~(page - 1);
  const size_t pages = (kPositions * sizeof(int64_t) - page) / page;
  std::vector<unsigned char> resident(pages);
  ASSERT_EQ(mincore(reinterpret_cast<void*>(begin), pages * page, resident.data()), 0);
  const auto in_memory = std::count_if(resident.begin(), resident.end(),
                                       [](unsigned char flags) { return (flags & 1) != 0; });
  // The pages that were touched, which may be large ones.
  EXPECT_LT(static_cast<size_t>(in_memory), pages / 2);
}

// Memory that another column has used is zero again.
TEST_F(Columns, ReusedMemoryIsZero) {
  for (int turn = 0; turn < 2; ++turn) {
    Column column(arena_, BERTH_U64, false);
    for (size_t count : {3000u, 100u, 2500u, 5000u, 1u, 5000u}) {
      const size_t before = std::min<size_t>(column.count(), count);
      column.resize(count);
      for (size_t i = before; i < count + 8; ++i) ASSERT_EQ(column.values<uint64_t>()[i], 0u);
      for (size_t i = 0; i < count; ++i) column.values<uint64_t>()[i] = ~uint64_t{0};
    }
  }
}

TEST_F(Columns, PuttingWhatIsThereTouchesNothing) {
  Column flat(arena_, BERTH_I64, false), lists(arena_, BERTH_U32, true);
  flat.resize(200);
  lists.resize(200);
  EXPECT_TRUE(flat.put<int64_t>(130, 5));
  EXPECT_TRUE(lists.put_list<uint32_t>(130, std::vector<uint32_t>{1, 2}));
  const uint64_t flat_before = flat.generation(), lists_before = lists.generation();
  EXPECT_FALSE(flat.put<int64_t>(130, 5));
  EXPECT_FALSE(lists.put_list<uint32_t>(130, std::vector<uint32_t>{1, 2}));
  EXPECT_EQ(flat.generation(), flat_before);
  EXPECT_EQ(lists.generation(), lists_before);
  EXPECT_TRUE(lists.put_list<uint32_t>(130, std::vector<uint32_t>{1}));
  EXPECT_GT(lists.generation_of(2), lists_before);
  EXPECT_LE(lists.generation_of(1), lists_before);
}

// A list that is taken out by resizing is gone: the position that comes later is empty.
TEST_F(Columns, AListThatWasCutOffDoesNotComeBack) {
  Column column(arena_, BERTH_U32, true);
  column.resize(2);
  column.set_list<uint32_t>(1, std::vector<uint32_t>{1, 2});
  column.resize(1);
  column.resize(2);
  EXPECT_EQ(list(column, 1), (std::vector<uint32_t>{}));
  column.set_list<uint32_t>(1, std::vector<uint32_t>{7});
  EXPECT_EQ(list(column, 1), (std::vector<uint32_t>{7}));
}

// Lists that grow, shrink and move use memory for their current content, not for their history.
TEST_F(Columns, AbandonedListsAreCompacted) {
  Column column(arena_, BERTH_U32, true);
  constexpr size_t kPositions = 50;
  column.resize(kPositions);
  std::vector<std::vector<uint32_t>> expected(kPositions);
  uint32_t counter = 0;
  for (size_t turn = 0; turn < 20'000; ++turn) {
    size_t at = (turn * 31) % kPositions;
    expected[at].assign(turn * 7 % 40, ++counter);
    column.set_list<uint32_t>(at, expected[at]);
    if (turn % 997 == 0) {
      std::vector<uint32_t> order(kPositions);
      std::iota(order.begin(), order.end(), 0);
      std::rotate(order.begin(), order.begin() + 13, order.end());
      column.permute(0, order, scratch_);
      std::rotate(expected.begin(), expected.begin() + 13, expected.end());
    }
    if (turn % 499 != 0) continue;
    for (size_t i = 0; i < kPositions; ++i) ASSERT_EQ(list(column, i), expected[i]) << turn;
  }
  for (size_t i = 0; i < kPositions; ++i) ASSERT_EQ(list(column, i), expected[i]);
  // 50 lists of at most 39 elements, reserved twice, and as much again before compaction.
  EXPECT_LT(arena_.used(), size_t{1} << 20);
}

TEST(GatheredColumn, HoldsChosenPositions) {
  Arena arena;
  Column flat(arena, BERTH_I64, false);
  Column lists(arena, BERTH_U64, true);
  flat.resize(5);
  lists.resize(5);
  for (size_t i = 0; i < 5; ++i) {
    flat.values<int64_t>()[i] = static_cast<int64_t>(i) * 100;
    lists.set_list<uint64_t>(i, std::vector<uint64_t>(i, i));
  }
  const std::vector<uint32_t> chosen{4, 0, 4};
  Gathered gathered;
  gathered.begin(BERTH_I64, false);
  gathered.positions(flat.view(), chosen);
  berth_column view = gathered.view();
  EXPECT_EQ(view.count, 3u);
  EXPECT_EQ(static_cast<const int64_t*>(view.data)[0], 400);
  EXPECT_EQ(static_cast<const int64_t*>(view.data)[1], 0);
  EXPECT_EQ(static_cast<const int64_t*>(view.data)[2], 400);

  gathered.begin(BERTH_U64, true);
  gathered.positions(lists.view(), chosen);
  view = gathered.view();
  EXPECT_EQ(view.count, 3u);
  EXPECT_EQ(view.sizes[0], 4u);
  EXPECT_EQ(view.sizes[1], 0u);
  EXPECT_EQ(static_cast<const uint64_t*>(view.data)[view.starts[2] + 3], 4u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(view.data) % 64, 0u);

  gathered.begin(BERTH_U8, false);
  EXPECT_EQ(gathered.view().count, 0u);
  EXPECT_NE(gathered.view().data, nullptr);
}

TEST(ChangeLog, KeepsTheLastEntries) {
  ChangeLog log(4);
  EXPECT_EQ(log.end(), 0u);
  EXPECT_TRUE(log.holds(0));
  for (uint32_t row = 0; row < 4; ++row) log.append(Table::kNodes, row, change::kPods);
  EXPECT_TRUE(log.holds(0));
  EXPECT_EQ(log.at(0).row, 0u);
  log.append(Table::kImages, 9, change::kValue);
  EXPECT_FALSE(log.holds(0));  // a reader at this position must derive its state anew
  EXPECT_TRUE(log.holds(1));
  EXPECT_EQ(log.end(), 5u);
  EXPECT_EQ(log.at(1).row, 1u);
  EXPECT_EQ(log.at(4).row, 9u);
  EXPECT_EQ(log.at(4).table, Table::kImages);
  EXPECT_EQ(log.at(4).changes, change::kValue);
  EXPECT_TRUE(log.holds(5));  // no new entry
}

// Memory is bounded, and a reader that fell behind knows by its position alone.
TEST(ChangeLog, IsBoundedAndTellsWhoFellBehind) {
  ChangeLog log(8);
  const uint64_t reader = log.end();
  for (uint32_t i = 0; i < 1000; ++i) {
    log.append(Table::kCounts, i, change::kDomains, i + 1);
    EXPECT_EQ(log.capacity(), 8u);
    EXPECT_EQ(log.holds(reader), i < 8);
  }
  for (uint64_t at = log.end() - 8; at < log.end(); ++at) {
    EXPECT_EQ(log.at(at).row, at);
    EXPECT_EQ(log.at(at).domain, at + 1);
  }
  EXPECT_DEATH(static_cast<void>(log.at(log.end())), "");
  EXPECT_DEATH(static_cast<void>(log.at(log.end() - 9)), "");
  EXPECT_DEATH(static_cast<void>(log.holds(log.end() + 1)), "");
}

TEST(ChangeLog, TakesPowersOfTwoAlone) {
  EXPECT_DEATH(ChangeLog(3), "");
  EXPECT_DEATH(ChangeLog(0), "");
}

}  // namespace
}  // namespace berth::model
