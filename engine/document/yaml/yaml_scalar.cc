#include "engine/document/yaml/yaml_scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>

#include "engine/base/text/characters.h"

namespace berth::document::internal {
namespace {

struct Word {
  std::string_view text;
  Kind kind;
  bool truth;
};

constexpr std::array kWords = {
    Word{"", Kind::kNull, false},         Word{"~", Kind::kNull, false},
    Word{"null", Kind::kNull, false},     Word{"Null", Kind::kNull, false},
    Word{"NULL", Kind::kNull, false},     Word{"y", Kind::kBoolean, true},
    Word{"Y", Kind::kBoolean, true},      Word{"yes", Kind::kBoolean, true},
    Word{"Yes", Kind::kBoolean, true},    Word{"YES", Kind::kBoolean, true},
    Word{"true", Kind::kBoolean, true},   Word{"True", Kind::kBoolean, true},
    Word{"TRUE", Kind::kBoolean, true},   Word{"on", Kind::kBoolean, true},
    Word{"On", Kind::kBoolean, true},     Word{"ON", Kind::kBoolean, true},
    Word{"n", Kind::kBoolean, false},     Word{"N", Kind::kBoolean, false},
    Word{"no", Kind::kBoolean, false},    Word{"No", Kind::kBoolean, false},
    Word{"NO", Kind::kBoolean, false},    Word{"false", Kind::kBoolean, false},
    Word{"False", Kind::kBoolean, false}, Word{"FALSE", Kind::kBoolean, false},
    Word{"off", Kind::kBoolean, false},   Word{"Off", Kind::kBoolean, false},
    Word{"OFF", Kind::kBoolean, false},
};
constexpr size_t kLongestWord = 5;

bool is_infinity_or_nan(std::string_view text) {
  for (std::string_view word : {".nan", ".NaN", ".NAN"}) {
    if (text == word) return true;
  }
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return text == ".inf" || text == ".Inf" || text == ".INF";
}

// Removes a base prefix and returns the base.
int take_base(std::string_view& digits) {
  if (digits.size() < 2 || digits[0] != '0') return 10;
  char mark = static_cast<char>(digits[1] | 0x20);  // lower case
  int base = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 0;
  digits.remove_prefix(base == 0 ? 1 : 2);
  return base == 0 ? 8 : base;
}

std::optional<std::string> integer(std::string_view text) {
  bool negative = text.starts_with('-');
  bool positive = text.starts_with('+');
  if (negative || positive) text.remove_prefix(1);
  int base = take_base(text);
  uint64_t magnitude = 0;
  const char* end = text.data() + text.size();
  auto [at, error] = std::from_chars(text.data(), end, magnitude, base);
  if (error != std::errc() || at != end) return std::nullopt;
  // Go accepts a sign only for numbers that fit an int64.
  if (negative && magnitude > uint64_t(1) << 63) return std::nullopt;
  if (positive && magnitude > uint64_t(INT64_MAX)) return std::nullopt;
  return (negative && magnitude != 0 ? "-" : "") + std::to_string(magnitude);
}

// [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?
bool looks_like_number(std::string_view text) {
  size_t at = 0;
  auto sign = [&] { at += at < text.size() && (text[at] == '-' || text[at] == '+') ? 1 : 0; };
  auto digits = [&] {
    size_t begin = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at - begin;
  };
  sign();
  size_t whole = digits();
  size_t fraction = 0;
  if (at < text.size() && text[at] == '.') {
    ++at;
    fraction = digits();
  }
  if (whole + fraction == 0) return false;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    sign();
    if (digits() == 0) return false;
  }
  return at == text.size();
}

std::optional<std::string> number(const std::string& text) {
  if (!looks_like_number(text)) return std::nullopt;
  const char* begin = text.c_str() + (text[0] == '+' ? 1 : 0);
  double value = 0;
  auto [at, error] = std::from_chars(begin, text.c_str() + text.size(), value);
  // Go rounds numbers that are too small to zero, and leaves numbers that are too large as strings.
  if (error == std::errc::result_out_of_range) value = std::strtod(begin, nullptr);
  if (!std::isfinite(value)) return std::nullopt;
  return go_number(value);
}

Scalar string() { return {}; }

Scalar number_or_string(std::optional<std::string> text) {
  if (!text) return string();
  return {Kind::kNumber, false, std::move(*text), false};
}

}  // namespace

Scalar resolve_plain(std::string_view text) {
  if (text.size() <= kLongestWord) {
    auto word =
        std::find_if(kWords.begin(), kWords.end(), [&](const Word& w) { return w.text == text; });
    if (word != kWords.end()) return {word->kind, word->truth, {}, false};
    if (is_infinity_or_nan(text)) return {Kind::kNumber, false, {}, true};
  }
  char first = text.empty() ? ' ' : text[0];
  if (first == '.') return number_or_string(number(std::string(text)));
  if (!is_digit(first) && first != '+' && first != '-') return string();

  std::string plain(text);
  std::erase(plain, '_');
  if (std::optional<std::string> whole = integer(plain)) return number_or_string(std::move(whole));
  return number_or_string(number(plain));
}

std::string go_number(double value) {
  char buffer[64] = {};
  auto [end, error] =
      std::to_chars(buffer, buffer + sizeof(buffer), value, std::chars_format::scientific);
  std::string_view text(buffer, size_t(end - buffer));
  std::string out;
  if (text[0] == '-') {
    out = "-";
    text.remove_prefix(1);
  }
  size_t e = text.find('e');
  int exponent = std::atoi(text.data() + e + 1);
  std::string digits(text.substr(0, e));
  std::erase(digits, '.');

  double magnitude = std::fabs(value);
  if (magnitude != 0 && (magnitude < 1e-6 || magnitude >= 1e21)) {
    out += digits.substr(0, 1);
    if (digits.size() > 1) out += "." + digits.substr(1);
    return out + (exponent < 0 ? "e-" : "e+") + std::to_string(std::abs(exponent));
  }
  int whole = exponent + 1;  // digits before the point
  if (whole <= 0) return out + "0." + std::string(size_t(-whole), '0') + digits;
  if (size_t(whole) >= digits.size()) {
    return out + digits + std::string(size_t(whole) - digits.size(), '0');
  }
  return out + digits.substr(0, size_t(whole)) + "." + digits.substr(size_t(whole));
}

}  // namespace berth::document::internal
