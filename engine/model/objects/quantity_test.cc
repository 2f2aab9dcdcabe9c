#include "engine/model/objects/quantity.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <string>

namespace berth::model {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

Quantity parsed(const std::string& text) {
  std::optional<Quantity> quantity = Quantity::parse(text);
  EXPECT_TRUE(quantity) << text;
  return quantity.value_or(Quantity());
}

std::string text_of(const std::string& text) { return parsed(text).to_string(); }

TEST(Quantity, ReadsTheWholeGrammar) {
  EXPECT_EQ(text_of("0"), "0");
  EXPECT_EQ(text_of("1"), "1");
  EXPECT_EQ(text_of("+1"), "1");
  EXPECT_EQ(text_of("-1"), "-1");
  EXPECT_EQ(text_of("007"), "7");
  EXPECT_EQ(text_of(".5"), "500m");
  EXPECT_EQ(text_of("1."), "1");
  EXPECT_EQ(text_of("1.G"), "1000000000");
  EXPECT_EQ(text_of("-.5"), "-500m");
  EXPECT_EQ(text_of("100m"), "100m");
  EXPECT_EQ(text_of("1000m"), "1");
  EXPECT_EQ(text_of("1500m"), "1500m");
  EXPECT_EQ(text_of("5u"), "5u");
  EXPECT_EQ(text_of("5n"), "5n");
  EXPECT_EQ(text_of("1k"), "1000");
  EXPECT_EQ(text_of("1M"), "1000000");
  EXPECT_EQ(text_of("1T"), "1000000000000");
  EXPECT_EQ(text_of("1P"), "1000000000000000");
  EXPECT_EQ(text_of("1E"), "1000000000000000000");
  EXPECT_EQ(text_of("1Ki"), "1024");
  EXPECT_EQ(text_of("1Mi"), "1048576");
  EXPECT_EQ(text_of("32Gi"), "34359738368");
  EXPECT_EQ(text_of("1Ti"), "1099511627776");
  EXPECT_EQ(text_of("1Pi"), "1125899906842624");
  EXPECT_EQ(text_of("1Ei"), "1152921504606846976");
  EXPECT_EQ(text_of("1.5Gi"), "1610612736");
  EXPECT_EQ(text_of("0.1Ki"), "102400m");
}

TEST(Quantity, TellsAnExponentFromTheSuffixE) {
  EXPECT_EQ(text_of("1e3"), "1000");
  EXPECT_EQ(text_of("1E3"), "1000");
  EXPECT_EQ(text_of("1E"), "1000000000000000000");
  EXPECT_EQ(text_of("1e+3"), "1000");
  EXPECT_EQ(text_of("1E-3"), "1m");
  EXPECT_EQ(text_of("123e-2"), "1230m");
  EXPECT_EQ(text_of("0e1"), "0");
  EXPECT_FALSE(Quantity::parse("1e"));
  EXPECT_FALSE(Quantity::parse("1e+"));
  EXPECT_FALSE(Quantity::parse("1e+-3"));
  EXPECT_FALSE(Quantity::parse("1e3m"));
  EXPECT_FALSE(Quantity::parse("1ee3"));
  EXPECT_FALSE(Quantity::parse("1e3.5"));
}

TEST(Quantity, RefusesWhatIsNone) {
  for (const char* text : {"",    " ",   " 1",   "1 ",    "1 k", "1ki",   "1K",  "1Kii",
                           "1kb", "1mi", "1i",   "one",   "1,5", "1.2.3", "--1", "+-1",
                           "1-",  "1m3", "0x10", "1_000", "NaN", "inf",   "1\n", "\xc2\xbd"}) {
    EXPECT_FALSE(Quantity::parse(text)) << text;
  }
  EXPECT_FALSE(Quantity::parse(std::string_view("1\0", 2)));
}

// Upstream accepts these texts, so Berth must too.
TEST(Quantity, TakesAMissingNumberForZeroWhereUpstreamDoes) {
  for (const char* text : {"-", "+", ".", "m", "k", "E", "Ki", "Ti", "e3", "e-9", "-.Gi"}) {
    EXPECT_EQ(text_of(text), "0") << text;
  }
  for (const char* text : {"Pi", "Ei", "-Pi", ".Ei", "e-10", ".e-10", "e"}) {
    EXPECT_FALSE(Quantity::parse(text)) << text;
  }
  EXPECT_EQ(text_of("0Ei"), "0");
  EXPECT_EQ(text_of("0e-10"), "0");
}

TEST(Quantity, RoundsAwayFromZeroBelowANano) {
  EXPECT_EQ(text_of("0.0000000001"), "1n");
  EXPECT_EQ(text_of("-0.0000000001"), "-1n");
  EXPECT_EQ(text_of("0.1n"), "1n");
  EXPECT_EQ(text_of("1.1n"), "2n");
  EXPECT_EQ(text_of("1.0000000001"), "1000000001n");
  EXPECT_EQ(text_of("1.9999999999"), "2");
  EXPECT_EQ(text_of("0.0000000000"), "0");
  EXPECT_EQ(text_of("1e-2147483648"), "1n");
  EXPECT_EQ(text_of("0.0000000001Ki"), "103n");
  EXPECT_EQ(text_of("0.00000000000000000000000001Ei"), "12n");
  EXPECT_EQ(text_of("0.0000000009765625Ki"), "1u");
}

TEST(Quantity, RoundsUnitsAndThousandthsUp) {
  EXPECT_EQ(parsed("1.5").value(), 2);
  EXPECT_EQ(parsed("1n").value(), 1);
  EXPECT_EQ(parsed("-1n").value(), -1);
  EXPECT_EQ(parsed("-1.5").value(), -2);
  EXPECT_EQ(parsed("1").value(), 1);
  EXPECT_EQ(parsed("100m").milli_value(), 100);
  EXPECT_EQ(parsed("0.1").milli_value(), 100);
  EXPECT_EQ(parsed("100.1m").milli_value(), 101);
  EXPECT_EQ(parsed("1n").milli_value(), 1);
  EXPECT_EQ(parsed("-1u").milli_value(), -1);
  EXPECT_EQ(parsed("2").milli_value(), 2000);
}

TEST(Quantity, CapsWithABinarySuffixAndClampsInIntegers) {
  EXPECT_EQ(text_of("16Ei"), "9223372036854775807");
  EXPECT_EQ(text_of("-16Ei"), "-9223372036854775807");
  EXPECT_EQ(text_of("7.9Ei"), "9108079886394091110400m");
  EXPECT_EQ(text_of("9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(parsed("9223372036854775807").value(), kMax);
  EXPECT_EQ(parsed("16Ei").value(), kMax);
  EXPECT_EQ(parsed("16Ei").milli_value(), kMax);
  EXPECT_EQ(parsed("9223372036854775808").value(), kMax);
  EXPECT_GT(parsed("9223372036854775808"), Quantity::from_units(kMax));
  EXPECT_EQ(parsed("-1e30").value(), std::numeric_limits<int64_t>::min());
  EXPECT_LT(parsed("-1e40"), parsed("-1e28"));
}

TEST(Quantity, SumsStayAmongTheAmountsThatTextsMean) {
  Quantity lowest = parsed("-1e3320");
  lowest += parsed("-1n");
  EXPECT_EQ(lowest, parsed("-1e3320"));
  EXPECT_EQ(parsed(lowest.to_string()), lowest);
  Quantity highest = parsed("1e3320");
  highest += parsed("1n");
  EXPECT_EQ(highest, parsed("1e3320"));
}

TEST(Quantity, HugeDigitStringsAndExponentsAreExactOrSaturate) {
  EXPECT_EQ(text_of(std::string(100'000, '0') + "1"), "1");
  EXPECT_EQ(text_of("1." + std::string(100'000, '0')), "1");
  EXPECT_EQ(text_of("1." + std::string(100'000, '0') + "1"), "1000000001n");
  EXPECT_EQ(parsed(std::string(100'000, '9')).value(), kMax);
  EXPECT_EQ(parsed(std::string(100'000, '9') + "Ki").value(), kMax);
  EXPECT_EQ(text_of("1" + std::string(100, '0') + "e-100"), "1");
  EXPECT_EQ(text_of("0." + std::string(99, '0') + "1e100"), "1");
  EXPECT_EQ(parsed("1e2147483647").value(), kMax);
  EXPECT_EQ(text_of("1e4294967296"), "1");  // upstream keeps the low 32 bits
  EXPECT_FALSE(Quantity::parse("1e9223372036854775808"));
  EXPECT_EQ(parsed("99999999999999999999999999999Ei").value(), kMax);
}

TEST(Quantity, AddsAndSaturates) {
  Quantity sum = parsed("100m");
  sum += parsed("0.9");
  EXPECT_EQ(sum, parsed("1"));
  Quantity most = parsed("1e100");
  most += parsed("1n");
  EXPECT_EQ(most, parsed("1e100"));
  Quantity least = parsed("-1e100");
  least += parsed("-1e100");
  EXPECT_EQ(least, parsed("-1e100"));
}

RC_GTEST_PROP(QuantityProperty, TextRoundTrips, ()) {
  auto units = *rc::gen::arbitrary<int64_t>();
  auto milli = *rc::gen::arbitrary<int64_t>();
  auto nano = *rc::gen::inRange<int64_t>(-1'000'000'000, 1'000'000'001);
  Quantity quantity = Quantity::from_units(units);
  quantity += Quantity::from_milli(milli);
  quantity += *Quantity::parse(std::to_string(nano) + "n");
  RC_ASSERT(Quantity::parse(quantity.to_string()) == quantity);
}

RC_GTEST_PROP(QuantityProperty, IntegersAreThemselves, (int64_t units, int64_t milli)) {
  RC_ASSERT(Quantity::parse(std::to_string(units)) == Quantity::from_units(units));
  RC_ASSERT(Quantity::parse(std::to_string(milli) + "m") == Quantity::from_milli(milli));
  RC_ASSERT(Quantity::from_units(units).value() == units);
  RC_ASSERT(Quantity::from_milli(milli).milli_value() == milli);
}

// Shifting the point and adjusting the exponent gives the same quantity.
RC_GTEST_PROP(QuantityProperty, PointAndExponentAreInterchangeable, ()) {
  auto digits = *rc::gen::container<std::string>(rc::gen::inRange('0', char('9' + 1)));
  auto split = size_t(*rc::gen::inRange<int>(0, int(digits.size()) + 1));
  auto exponent = *rc::gen::inRange(-30, 30);
  std::string number = "0" + digits;
  std::string pointed = "0" + digits.substr(0, split) + "." + digits.substr(split);
  int moved = exponent - int(digits.size() - split);
  RC_ASSERT(Quantity::parse(pointed + "e" + std::to_string(exponent)) ==
            Quantity::parse(number + "e" + std::to_string(moved)));
}

// A binary suffix equals repeated doubling.
RC_GTEST_PROP(QuantityProperty, BinarySuffixesDouble, ()) {
  auto nano = *rc::gen::inRange<int64_t>(0, 1'000'000'000'000);
  auto suffix = *rc::gen::inRange(1, 4);
  std::string number = std::to_string(nano / 1'000'000'000) + "." +
                       std::to_string(1'000'000'000 + nano % 1'000'000'000).substr(1);
  Quantity doubled = *Quantity::parse(number);
  for (int i = 0; i < 10 * suffix; ++i) doubled += Quantity(doubled);
  const char* const kSuffixes[] = {"", "Ki", "Mi", "Gi"};
  RC_ASSERT(Quantity::parse(number + kSuffixes[suffix]) == doubled);
}

// Amounts of a few digits are computed in another way than those with a point.
RC_GTEST_PROP(QuantityProperty, APointBehindTheDigitsChangesNothing, ()) {
  const char* const kSuffixes[] = {"",  "n",  "u",  "m",  "k",  "M",  "G",  "T",  "P",
                                   "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "e9", "e-9"};
  const auto digits = *rc::gen::container<std::string>(rc::gen::inRange('0', char('9' + 1)));
  for (const char* suffix : kSuffixes)
    RC_ASSERT(Quantity::parse("0" + digits + suffix) ==
              Quantity::parse("0" + digits + ".0" + suffix));
}

RC_GTEST_PROP(QuantityProperty, AnyTextIsParsedOrRefused, (const std::string& text)) {
  std::optional<Quantity> quantity = Quantity::parse(text);
  if (quantity) RC_ASSERT(Quantity::parse(quantity->to_string()) == quantity);
}

}  // namespace
}  // namespace berth::model
