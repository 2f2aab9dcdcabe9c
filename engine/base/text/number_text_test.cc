#include "engine/base/text/number_text.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <vector>

namespace berth {
namespace {

TEST(NumberText, GroupsByThree) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(UINT64_MAX), "18,446,744,073,709,551,615");
}

TEST(NumberText, ChoosesTheUnit) {
  EXPECT_EQ(duration_text(0), "0 s");
  EXPECT_EQ(duration_text(850e-9), "850 ns");
  EXPECT_EQ(duration_text(17.32e-6), "17.3 us");
  EXPECT_EQ(duration_text(1.254e-3), "1.25 ms");
  EXPECT_EQ(duration_text(3.1), "3.1 s");
  EXPECT_EQ(duration_text(3600), "3,600 s");
}

// 999.96 us is not "1000 us".
TEST(NumberText, RoundsIntoTheNextUnit) {
  EXPECT_EQ(duration_text(999.7e-9), "1 us");
  EXPECT_EQ(duration_text(999.96e-6), "1 ms");
  EXPECT_EQ(duration_text(999.996e-3), "1 s");
}

TEST(NumberText, SpreadIsTheStandardDeviation) {
  EXPECT_TRUE(std::isnan(spread_of({})));
  EXPECT_TRUE(std::isnan(spread_of(std::vector{5.0})));
  EXPECT_EQ(spread_of(std::vector{5.0, 5.0}), 0);
  EXPECT_DOUBLE_EQ(spread_of(std::vector{1.0, 3.0, 5.0}), 2);
}

Unit unit_of(const std::string& name) {
  if (name == "seconds") return Unit::kSeconds;
  return name == "bytes" ? Unit::kBytes : Unit::kNone;
}

// The same cases as in the report: a line has the value, the spread or "unknown", the unit, and the
// text.
TEST(NumberText, HasTheDigitsThatMeanSomething) {
  std::ifstream file(BERTH_SOURCE_DIR "/tests/report/measured_numbers.tsv");
  size_t cases = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    std::string value, spread, unit, text;
    std::getline(words, value, '\t');
    std::getline(words, spread, '\t');
    std::getline(words, unit, '\t');
    std::getline(words, text, '\t');
    const double varies = spread == "unknown" ? NAN : std::stod(spread);
    EXPECT_EQ(measured_text(std::stod(value), varies, unit_of(unit)), text) << line;
    ++cases;
  }
  EXPECT_GE(cases, 20u);
}

}  // namespace
}  // namespace berth
