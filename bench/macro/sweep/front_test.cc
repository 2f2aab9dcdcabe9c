#include "bench/macro/sweep/front.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace berth::bench {
namespace {

// The definition.
bool dominates(const Costs& a, const Costs& b) {
  bool less = false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] > b[i]) return false;
    less |= a[i] < b[i];
  }
  return less;
}
std::vector<bool> by_definition(const std::vector<Costs>& rows) {
  std::vector<bool> front;
  for (const Costs& row : rows) {
    bool beaten = false;
    for (const Costs& other : rows) beaten |= dominates(other, row);
    front.push_back(!beaten);
  }
  return front;
}

TEST(Front, IsThatOfTheDefinition) {
  std::mt19937 draws(1);
  for (int trial = 0; trial < 2000; ++trial) {
    const size_t figures = 1 + draws() % 4, rows = draws() % 40;
    // Few values make many rows equal in some figures, or in all.
    const auto values = static_cast<uint32_t>(2 + draws() % 12);
    std::vector<Costs> drawn(rows, Costs(figures));
    for (Costs& row : drawn)
      for (double& cost : row) cost = static_cast<double>(draws() % values);
    EXPECT_EQ(front_of(drawn), by_definition(drawn)) << "trial " << trial;
  }
}

TEST(Front, TakesWhatIsMissingAsTheWorst) {
  constexpr double kMissing = std::numeric_limits<double>::infinity();
  EXPECT_EQ(front_of({{1, kMissing}, {1, 5}, {0, kMissing}}),
            (std::vector<bool>{false, true, true}));
}

TEST(Front, EqualRowsAreOnItTogether) {
  EXPECT_EQ(front_of({{1, 2}, {1, 2}, {2, 2}}), (std::vector<bool>{true, true, false}));
  EXPECT_TRUE(front_of({}).empty());
}

}  // namespace
}  // namespace berth::bench
