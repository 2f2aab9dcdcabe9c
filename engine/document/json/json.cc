#include "engine/document/json/json.h"

#include <bit>
#include <cstring>
#include <string>
#include <string_view>

#include "engine/base/assert.h"
#include "engine/base/text/characters.h"
#include "engine/document/utf8.h"

namespace berth::document::internal {
namespace {

static_assert(std::endian::native == std::endian::little, "the first byte is the lowest one");

constexpr uint64_t kOnes = 0x0101010101010101;
constexpr uint64_t kHighs = 0x8080808080808080;

uint64_t load8(const char* at) {
  uint64_t word;
  std::memcpy(&word, at, sizeof(word));
  return word;
}

// The high bit of the first zero byte is the lowest set bit of the result. Bits above it may be
// wrong.
uint64_t zero_byte(uint64_t word) { return (word - kOnes) & ~word & kHighs; }

// The same for the first byte that ends a run of plain string characters: a quote, a backslash or a
// control character.
uint64_t special_byte(uint64_t word) {
  uint64_t control = (word - kOnes * 0x20) & ~word & kHighs;
  return control | zero_byte(word ^ kOnes * '"') | zero_byte(word ^ kOnes * '\\');
}

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

constexpr uint32_t kReplacementCharacter = 0xfffd;

// A recursive-descent parser over the text of a file, which appends cells. The position of a value
// is its offset in the text: the parser keeps a pointer and converts it with offset(), and line and
// column are computed only when somebody asks for a place (LineIndex in storage.h). Zero bytes
// follow the text (FileText::kPadding). No grammar rule accepts one, so most loops need no check
// for the end, and eight bytes can be loaded at any position.
class JsonParser {
 public:
  JsonParser(Builder& builder, uint32_t begin, uint32_t end)
      : builder_(builder),
        base_(builder.storage().text.data()),
        at_(base_ + begin),
        end_(base_ + end) {}

  void skip_blanks();
  void value(uint32_t depth);
  uint32_t offset() const { return uint32_t(at_ - base_); }

 private:
  [[noreturn]] void fail(std::string message) const {
    throw Malformed{offset(), std::move(message)};
  }
  [[noreturn]] void fail_expecting(std::string_view expected) const;
  void expect(char c, const char* what);
  void literal(std::string_view word);
  void number();
  void digits();
  std::string_view string();
  std::string_view string_with_escapes(const char* begin);
  char* escape(char* to);
  uint32_t code_unit();
  uint32_t code_point();
  void array(uint32_t depth);
  void object(uint32_t depth);
  void check_depth(uint32_t depth) const;

  Builder& builder_;
  const char* const base_;
  const char* at_;
  const char* const end_;
};

void JsonParser::fail_expecting(std::string_view expected) const {
  std::string message = "expected " + std::string(expected) + ", found ";
  if (at_ >= end_) fail(message + "the end");
  auto byte = static_cast<unsigned char>(*at_);
  constexpr char kHex[] = "0123456789abcdef";
  if (byte >= 0x20 && byte < 0x7f) fail(message + "'" + *at_ + "'");
  fail(message + "the byte 0x" + kHex[byte >> 4] + kHex[byte & 15]);
}

void JsonParser::skip_blanks() {
  for (;;) {
    char c = *at_;
    if (static_cast<unsigned char>(c) > ' ') return;
    if (at_ >= end_) return;
    if (c != ' ' && c != '\n' && c != '\r' && c != '\t') return;
    ++at_;
    // Most blanks of a printed file are indentation: skip eight spaces at a time.
    while (at_ + 8 <= end_) {
      uint64_t other = load8(at_) ^ kOnes * ' ';
      if (other != 0) {
        at_ += std::countr_zero(other) / 8;
        break;
      }
      at_ += 8;
    }
  }
}

void JsonParser::expect(char c, const char* what) {
  if (at_ >= end_ || *at_ != c) fail_expecting(what);
  ++at_;
}

void JsonParser::check_depth(uint32_t depth) const {
  if (depth >= builder_.limits().depth) {
    fail("nested deeper than " + std::to_string(builder_.limits().depth));
  }
}

void JsonParser::value(uint32_t depth) {
  if (at_ >= end_) fail_expecting("a value");
  uint32_t start = offset();
  switch (*at_) {
    case '{':
      return object(depth);
    case '[':
      return array(depth);
    case '"':
      return builder_.add_string(start, string());
    case 't':
      literal("true");
      return builder_.add_boolean(start, true);
    case 'f':
      literal("false");
      return builder_.add_boolean(start, false);
    case 'n':
      literal("null");
      return builder_.add_null(start);
    default:
      return number();
  }
}

void JsonParser::literal(std::string_view word) {
  if (!std::string_view(at_, size_t(end_ - at_)).starts_with(word)) fail_expecting("a value");
  at_ += word.size();
}

void JsonParser::digits() {
  if (at_ >= end_ || !is_digit(*at_)) fail_expecting("a digit");
  while (at_ < end_ && is_digit(*at_)) ++at_;
}

void JsonParser::number() {
  const char* begin = at_;
  if (*at_ != '-' && !is_digit(*at_)) fail_expecting("a value");
  if (*at_ == '-') ++at_;
  if (at_ < end_ && *at_ == '0') {
    ++at_;
    if (at_ < end_ && is_digit(*at_)) fail("a number must not begin with a zero");
  } else {
    digits();
  }
  if (at_ < end_ && *at_ == '.') {
    ++at_;
    digits();
  }
  if (at_ < end_ && (*at_ == 'e' || *at_ == 'E')) {
    ++at_;
    if (at_ < end_ && (*at_ == '+' || *at_ == '-')) ++at_;
    digits();
  }
  builder_.add_number(uint32_t(begin - base_), {begin, size_t(at_ - begin)});
}

std::string_view JsonParser::string() {
  const char* begin = ++at_;
  for (;;) {
    uint64_t special =
        special_byte(load8(at_));  // may include the padding, which counts as special
    if (special == 0) {
      at_ += 8;
      continue;
    }
    at_ += std::countr_zero(special) / 8;
    if (at_ >= end_ || *at_ != '"') return string_with_escapes(begin);
    return {begin, size_t(at_++ - begin)};
  }
}

// Continues at the first special character of a string that begins at `begin`.
std::string_view JsonParser::string_with_escapes(const char* begin) {
  // The resolved text is never longer than its escaped form, so the closing quote bounds its size.
  const char* close = at_;
  while (close < end_ && *close != '"') {
    if (static_cast<unsigned char>(*close) < 0x20) {
      at_ = close;
      fail(*close == '\n' || *close == '\r' ? "a string is not closed on its line"
                                            : "a control character in a string must be escaped");
    }
    close += *close == '\\' ? 2 : 1;
  }
  if (close >= end_) {
    at_ = end_;
    fail("a string is not closed");
  }
  char* resolved = builder_.allocate(size_t(close - begin));
  size_t plain = size_t(at_ - begin);
  std::memcpy(resolved, begin, plain);
  char* to = resolved + plain;
  while (at_ < close) {
    if (*at_ == '\\') {
      ++at_;
      to = escape(to);
    } else {
      *to++ = *at_++;
    }
  }
  ++at_;
  return {resolved, size_t(to - resolved)};
}

// Called behind a backslash.
char* JsonParser::escape(char* to) {
  constexpr std::string_view kEscaped = "\"\\/bfnrt";
  constexpr std::string_view kMeaning = "\"\\/\b\f\n\r\t";
  if (*at_ == 'u') return write_utf8(code_point(), to);
  size_t which = kEscaped.find(*at_);
  if (which == kEscaped.npos) {
    --at_;
    fail("an unknown escape sequence");
  }
  ++at_;
  *to = kMeaning[which];
  return to + 1;
}

// Called at the 'u' of an escape.
uint32_t JsonParser::code_unit() {
  ++at_;
  uint32_t unit = 0;
  for (int i = 0; i < 4; ++i) {
    int digit = at_ < end_ ? hex_value(*at_) : -1;
    if (digit < 0) fail_expecting("four hexadecimal digits behind \\u");
    unit = unit << 4 | uint32_t(digit);
    ++at_;
  }
  return unit;
}

uint32_t JsonParser::code_point() {
  uint32_t first = code_unit();
  if (first < 0xd800 || first > 0xdfff) return first;
  if (first > 0xdbff || end_ - at_ < 6 || at_[0] != '\\' || at_[1] != 'u')
    return kReplacementCharacter;
  const char* behind_first = at_;
  ++at_;
  uint32_t second = code_unit();
  if (second < 0xdc00 || second > 0xdfff) {
    at_ = behind_first;
    return kReplacementCharacter;
  }
  return 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
}

void JsonParser::array(uint32_t depth) {
  check_depth(depth);
  size_t self = builder_.open(offset(), Kind::kArray);
  size_t count = 0;
  ++at_;
  skip_blanks();
  if (*at_ == ']' && at_ < end_) {
    ++at_;
    return builder_.close(self, 0);
  }
  for (;;) {
    value(depth + 1);
    ++count;
    skip_blanks();
    if (*at_ == ',' && at_ < end_) {
      ++at_;
      skip_blanks();
      continue;
    }
    expect(']', "',' or ']'");
    return builder_.close(self, count);
  }
}

void JsonParser::object(uint32_t depth) {
  check_depth(depth);
  size_t self = builder_.open(offset(), Kind::kObject);
  size_t count = 0;
  ++at_;
  skip_blanks();
  bool empty = *at_ == '}' && at_ < end_;
  while (!empty) {
    if (*at_ != '"' || at_ >= end_)
      fail_expecting(count == 0 ? "a key in quotes or '}'" : "a key in quotes");
    uint32_t start = offset();
    builder_.add_string(start, string());
    skip_blanks();
    expect(':', "':'");
    skip_blanks();
    value(depth + 1);
    ++count;
    skip_blanks();
    if (*at_ != ',' || at_ >= end_) break;
    ++at_;
    skip_blanks();
  }
  expect('}', "',' or '}'");
  builder_.close(self, count);
  if (!builder_.limits().unique_keys) return;
  if (auto repeated = builder_.repeated_key(self)) throw std::move(*repeated);
}

}  // namespace

uint32_t parse_json(Builder& builder, uint32_t begin, uint32_t end, uint32_t depth) {
  JsonParser parser(builder, begin, end);
  parser.skip_blanks();
  parser.value(depth);
  return parser.offset();
}

uint32_t skip_json_blanks(const Storage& storage, uint32_t begin, uint32_t end) {
  constexpr std::string_view kBlanks = " \t\r\n";
  size_t at = storage.text.substr(0, end).find_first_not_of(kBlanks, begin);
  return at == std::string_view::npos ? end : uint32_t(at);
}

}  // namespace berth::document::internal
