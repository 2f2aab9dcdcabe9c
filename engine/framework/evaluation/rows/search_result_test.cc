#include "engine/framework/evaluation/rows/search_result.h"

#include <gtest/gtest.h>

#include <vector>

namespace berth::framework {
namespace {

constexpr model::Row kRows = 200;
constexpr Refuser kRefused = 3;

class OnlyFeasible : public ::testing::Test {
 protected:
  OnlyFeasible() {
    found_.begin(kRows);
    for (model::Row row = 0; row < kRows; ++row) found_.refuser[row] = kRefused;
    found_.feasible = 1;
  }
  void pass(model::Row row) { found_.refuser[row] = kFeasible; }

  SearchResult found_;
};

TEST_F(OnlyFeasible, IsFoundInEachPlace) {
  found_.pieces = {{0, kRows}};
  for (const model::Row row : {0u, 63u, 64u, 130u, kRows - 1}) {
    pass(row);
    EXPECT_EQ(found_.only_feasible(), row);
    found_.refuser[row] = kRefused;
  }
}

// The search begins and ends within one block, and rows that it did not take hold earlier verdicts.
TEST_F(OnlyFeasible, IsOneOfTheRowsThatWereTaken) {
  found_.pieces = {{100, kRows}, {0, 70}};
  pass(99);
  pass(70);
  pass(69);
  EXPECT_EQ(found_.only_feasible(), 69u);
  found_.refuser[69] = kRefused;
  pass(100);
  EXPECT_EQ(found_.only_feasible(), 100u);
}

TEST_F(OnlyFeasible, IsOneOfTheListedRows) {
  found_.listed = true;
  found_.list = {7, 150};
  pass(8);
  pass(150);
  EXPECT_EQ(found_.only_feasible(), 150u);
}

// Of rows that a ranking knows, the arrays may be late.
TEST_F(OnlyFeasible, IsOpenAndOfAClassThatIsNotRefused) {
  const std::vector<uint64_t> open = {0, 0b1010, 0, 0},
                              classes = {0, 0, 0b0010, 0b1000, 0, 0, 0, 0};
  found_.feasible_rows = {.open = open.data(), .classes = classes.data(), .stride = 2, .count = 2};
  found_.feasible_rows.refuse(0b01);
  found_.pieces = {{0, kRows}};
  EXPECT_EQ(found_.only_feasible(), 64u + 3);
}

}  // namespace
}  // namespace berth::framework
