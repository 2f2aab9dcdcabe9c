#include "engine/base/text/printable.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "engine/base/assert.h"

namespace berth {
namespace {

uint8_t byte_at(std::string_view text, size_t at) { return static_cast<uint8_t>(text[at]); }

// The bytes of the character that begins with this one; 0 if none does.
size_t length_of(uint8_t first) {
  if (first < 0x80) return 1;
  if (first < 0xC2) return 0;  // the inside of a character, or an overlong form
  if (first < 0xE0) return 2;
  if (first < 0xF0) return 3;
  return first < 0xF5 ? 4 : 0;
}

// A few characters that replace one.
class Escape {
 public:
  // Of a character that is not printable.
  static Escape of(char32_t character) {
    constexpr std::string_view kMeaning = "\n\r\t";
    constexpr std::string_view kEscaped = "nrt";
    const bool ascii = character < 0x80;
    const size_t which =
        ascii ? kMeaning.find(static_cast<char>(character)) : std::string_view::npos;
    Escape made;
    if (which != std::string_view::npos) {
      made.add(kEscaped[which]);
    } else {
      made.add(ascii ? 'x' : 'u');
      made.add_hex(character, ascii ? 2 : 4);
    }
    return made;
  }
  // Of a byte that is not UTF-8.
  static Escape of_byte(uint8_t byte) {
    Escape made;
    made.add('x');
    made.add_hex(byte, 2);
    return made;
  }
  std::string_view text() const { return {text_.data(), size_}; }

 private:
  void add(char c) { text_[size_++] = c; }
  void add_hex(uint32_t value, int digits) {
    constexpr char kDigits[] = "0123456789abcdef";
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) add(kDigits[(value >> shift) & 15]);
  }

  std::array<char, 8> text_{'\\'};
  size_t size_ = 1;
};

}  // namespace

Utf8Character first_character(std::string_view text) {
  BERTH_ASSERT(!text.empty());
  const uint8_t first = byte_at(text, 0);
  const size_t bytes = length_of(first);
  if (bytes <= 1) return {first, bytes};
  if (text.size() < bytes) return {};
  char32_t value = first & (0x7FU >> bytes);
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte_at(text, i) & 0xC0) != 0x80) return {};
    value = (value << 6) | (byte_at(text, i) & 0x3F);
  }
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < kSmallest[bytes] || value > 0x10FFFF || surrogate) return {};
  return {value, bytes};
}

bool is_printable(char32_t character) {
  if (character < 0x20 || (character >= 0x7F && character < 0xA0)) return false;
  if (character == 0x061C || character == 0x200E || character == 0x200F) return false;
  const bool separator_or_bidirectional = character >= 0x2028 && character <= 0x202E;
  const bool isolate = character >= 0x2066 && character <= 0x2069;
  return !separator_or_bidirectional && !isolate;
}

namespace {

// Calls append(std::string_view) with the pieces of the result: a run of characters of ASCII, or
// what stands for one other character.
template <typename Append>
void print(std::string_view text, Append&& append) {
  while (!text.empty()) {
    const auto plain_end = std::find_if_not(text.begin(), text.end(), is_printable_ascii);
    const auto plain = static_cast<size_t>(plain_end - text.begin());
    if (plain != 0) append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) break;
    const Utf8Character character = first_character(text);
    const size_t bytes = std::max<size_t>(character.bytes, 1);
    if (character.bytes == 0) {
      append(Escape::of_byte(byte_at(text, 0)).text());
    } else if (is_printable(character.value)) {
      append(text.substr(0, bytes));
    } else {
      append(Escape::of(character.value).text());
    }
    text.remove_prefix(bytes);
  }
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  print(text, [&](std::string_view piece) { out += piece; });
  return out;
}

size_t printable(std::string_view text, std::span<char> out) {
  size_t size = 0;
  bool fits = true;
  print(text, [&](std::string_view piece) {
    const bool ascii = is_printable_ascii(piece.front());
    fits = fits && (piece.size() <= out.size() - size || (ascii && piece.front() != '\\'));
    if (fits) size += piece.copy(out.data() + size, out.size() - size);
  });
  return size;
}

}  // namespace berth
