#include "engine/model/objects/quantity.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "engine/base/text/characters.h"

namespace berth::model {
namespace {

__extension__ using Nano = __int128;
constexpr Nano kMaxNano = (Nano(1) << 126) - 1 + (Nano(1) << 126);
constexpr Nano kMaxBinaryNano = Nano(std::numeric_limits<int64_t>::max()) * 1'000'000'000;

// A suffix stands for base^exponent; the base is 10 or 2.
struct Scale {
  int32_t base = 10;
  int32_t exponent = 0;
};

struct Suffix {
  std::string_view text;
  Scale scale;
};

constexpr std::array kSuffixes = {
    Suffix{"", {10, 0}},   Suffix{"m", {10, -3}}, Suffix{"Ki", {2, 10}}, Suffix{"Mi", {2, 20}},
    Suffix{"Gi", {2, 30}}, Suffix{"Ti", {2, 40}}, Suffix{"Pi", {2, 50}}, Suffix{"Ei", {2, 60}},
    Suffix{"k", {10, 3}},  Suffix{"M", {10, 6}},  Suffix{"G", {10, 9}},  Suffix{"T", {10, 12}},
    Suffix{"P", {10, 15}}, Suffix{"E", {10, 18}}, Suffix{"u", {10, -6}}, Suffix{"n", {10, -9}},
};

constexpr auto kPowersOfTen = [] {
  std::array<int64_t, 19> powers{};
  powers[0] = 1;
  for (size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

std::optional<Scale> parse_exponent(std::string_view digits) {
  if (digits.starts_with('+')) {
    digits.remove_prefix(1);
    if (digits.starts_with('-')) return std::nullopt;
  }
  int64_t exponent = 0;
  const char* end = digits.data() + digits.size();
  auto [at, error] = std::from_chars(digits.data(), end, exponent);
  if (error != std::errc() || at != end) return std::nullopt;
  // Upstream keeps the low 32 bits, so it reads 1e4294967296 as 1.
  return Scale{10, static_cast<int32_t>(static_cast<uint64_t>(exponent))};
}

std::optional<Scale> parse_suffix(std::string_view text) {
  for (const Suffix& suffix : kSuffixes) {
    if (suffix.text == text) return suffix.scale;
  }
  if (text.size() > 1 && (text[0] == 'e' || text[0] == 'E')) return parse_exponent(text.substr(1));
  return std::nullopt;
}

// The digits of a number without sign and point; `whole` of them precede the point.
class Digits {
 public:
  Digits(std::string_view before, std::string_view after) : before_(before), after_(after) {}

  int64_t size() const { return int64_t(before_.size() + after_.size()); }
  int64_t whole() const { return int64_t(before_.size()); }
  int digit(int64_t i) const {
    return (i < whole() ? before_[size_t(i)] : after_[size_t(i - whole())]) - '0';
  }

 private:
  std::string_view before_;
  std::string_view after_;
};

// Returns the number of nano units if the digits are few and have no point, as in nearly all
// amounts; otherwise nothing. Much faster than scaled(), which takes any digits.
std::optional<Nano> scaled_small(const Digits& digits, Scale scale) {
  constexpr int64_t kMostDigits = 18;  // of a uint64_t
  constexpr int64_t kMostScaled = 9;   // times 2^60 and 10^9 below 2^127
  const int64_t most = scale.base == 2 || scale.exponent > 0 ? kMostScaled : kMostDigits;
  if (digits.size() > most || digits.size() != digits.whole()) return std::nullopt;
  if (scale.base == 10 && (scale.exponent < -9 || scale.exponent > 9)) return std::nullopt;
  uint64_t number = 0;
  for (int64_t i = 0; i < digits.size(); ++i)
    number = number * 10 + static_cast<uint64_t>(digits.digit(i));
  if (scale.base == 2) return (Nano(number) << scale.exponent) * 1'000'000'000;
  return Nano(number) * kPowersOfTen[static_cast<size_t>(scale.exponent + 9)];
}

// Returns the number formed by the digits with the point after the first `point` of them (which may
// be outside the digits), times 2^shift, rounded up, at most kMaxNano. Exact for any number of
// digits.
Nano scaled(const Digits& digits, int64_t point, int shift) {
  int64_t first = 0;
  while (first < digits.size() && digits.digit(first) == 0) ++first;
  if (first == digits.size()) return 0;
  constexpr int64_t kMaxDigits = 40;  // more do not fit in a Nano
  if (point - first > kMaxDigits) return kMaxNano;

  // Multiply the fractional digits by 2^shift, starting with the last. The carry over the point is
  // an integer, and any remainder behind the point rounds up.
  uint64_t carry = 0;
  bool fraction = false;
  for (int64_t i = digits.size() - 1; i >= std::max<int64_t>(point, first); --i) {
    uint64_t product = (uint64_t(digits.digit(i)) << shift) + carry;  // below 10 * 2^60
    fraction |= product % 10 != 0;
    carry = product / 10;
  }
  // The zeros between the point and the first digit.
  for (int64_t zeros = first - point; zeros > 0 && carry != 0; --zeros) {
    fraction |= carry % 10 != 0;
    carry /= 10;
  }

  Nano whole = 0;
  bool overflow = false;
  for (int64_t i = first; i < point; ++i) {
    overflow |= __builtin_mul_overflow(whole, Nano(10), &whole);
    if (i < digits.size()) overflow |= __builtin_add_overflow(whole, Nano(digits.digit(i)), &whole);
  }
  overflow |= __builtin_mul_overflow(whole, Nano(1) << shift, &whole);
  overflow |= __builtin_add_overflow(whole, Nano(carry) + (fraction ? 1 : 0), &whole);
  return overflow ? kMaxNano : whole;
}

// Returns the number of nano units, capped as upstream caps it.
Nano nano_of(const Digits& number, Scale scale) {
  Nano nano = 0;
  if (const std::optional<Nano> small = scaled_small(number, scale)) {
    nano = *small;
  } else if (scale.base == 2) {
    nano = scaled(number, number.whole() + 9, scale.exponent);
  } else {
    nano = scaled(number, number.whole() + 9 + scale.exponent, 0);
  }
  return scale.base == 2 ? std::min(nano, kMaxBinaryNano) : nano;
}

// In these cases upstream never parses the number, and an absent one counts as zero: "m", ".Ti",
// even "-".
bool number_may_be_missing(Scale scale) {
  return scale.base == 10 ? scale.exponent >= -9 : scale.exponent <= 40;
}

int64_t rounded_away(Nano nano, int64_t unit) {
  Nano quotient = nano / unit;
  if (quotient * unit != nano) quotient += nano < 0 ? -1 : 1;
  constexpr Nano kLow = std::numeric_limits<int64_t>::min();
  constexpr Nano kHigh = std::numeric_limits<int64_t>::max();
  return int64_t(std::clamp(quotient, kLow, kHigh));
}

}  // namespace

std::optional<Quantity> Quantity::parse(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const char* at = text.data();
  const char* end = at + text.size();
  auto digits = [&] {
    const char* begin = at;
    while (at != end && is_digit(*at)) ++at;
    return std::string_view(begin, size_t(at - begin));
  };

  bool negative = *at == '-';
  if (negative || *at == '+') ++at;
  std::string_view before = digits();
  std::string_view after;
  if (at != end && *at == '.') {
    ++at;
    after = digits();
  }
  std::optional<Scale> scale = parse_suffix(std::string_view(at, size_t(end - at)));
  if (!scale) return std::nullopt;
  if (before.empty() && after.empty() && !number_may_be_missing(*scale)) return std::nullopt;

  const Nano nano = nano_of(Digits(before, after), *scale);
  return Quantity(negative ? -nano : nano);
}

int64_t Quantity::value() const { return rounded_away(nano_, kNanoPerUnit); }

int64_t Quantity::milli_value() const { return rounded_away(nano_, 1'000'000); }

std::string Quantity::to_string() const {
  if (nano_ == 0) return "0";
  struct Unit {
    int64_t nano;
    const char* suffix;
  };
  constexpr Unit kUnits[] = {{kNanoPerUnit, ""}, {1'000'000, "m"}, {1'000, "u"}, {1, "n"}};
  const Unit* unit = std::begin(kUnits);
  while (nano_ % unit->nano != 0) ++unit;

  std::string text;
  for (Nano rest = nano_ / unit->nano; rest != 0; rest /= 10) {
    int digit = int(rest % 10);
    text += char('0' + (digit < 0 ? -digit : digit));
  }
  if (nano_ < 0) text += '-';
  std::reverse(text.begin(), text.end());
  return text + unit->suffix;
}

Quantity& Quantity::operator+=(const Quantity& other) {
  const bool overflow = __builtin_add_overflow(nano_, other.nano_, &nano_);
  // The lowest number has no positive counterpart, so no text means it.
  if (overflow || nano_ < -kMaxNano) nano_ = other.nano_ < 0 ? -kMaxNano : kMaxNano;
  return *this;
}

}  // namespace berth::model
