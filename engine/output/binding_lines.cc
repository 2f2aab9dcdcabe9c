#include "engine/output/binding_lines.h"

#include <cstring>

#include "engine/document/document.h"

namespace berth::output {
namespace {

constexpr size_t kFull = size_t{1} << 16;
constexpr size_t kSpare = size_t{1} << 12;  // beyond kFull, so that a line rarely makes it grow

// Whether any byte of a word needs more than being copied into a JSON string: quotes, backslashes,
// control characters, and all that is not ASCII, which has to be UTF-8. False for none.
bool special(uint64_t word) {
  constexpr uint64_t kOnes = 0x0101010101010101;
  constexpr uint64_t kHigh = 0x8080808080808080;
  // A byte of `x - kOnes * n` without high bit in `x` has it if the byte is below n (n <= 128). A
  // borrow into the next byte can only come from a byte that is below n itself.
  const uint64_t quote = word ^ (kOnes * '"');
  const uint64_t backslash = word ^ (kOnes * '\\');
  return (((word - kOnes * 0x20) | (quote - kOnes) | (backslash - kOnes) | word) & kHigh) != 0;
}

bool plain(std::string_view text) {
  uint64_t word = 0;
  while (text.size() >= sizeof word) {
    std::memcpy(&word, text.data(), sizeof word);
    if (special(word)) return false;
    text.remove_prefix(sizeof word);
  }
  word = 0x2020202020202020;
  if (!text.empty()) std::memcpy(&word, text.data(), text.size());
  return !special(word);
}

void append_string(std::string_view text, std::string& out) {
  if (!plain(text)) return document::append_json_string(text, out);
  out += '"';
  out += text;
  out += '"';
}

}  // namespace

BindingLines::BindingLines(ByteSink& sink) : sink_(sink) { buffer_.reserve(kFull + kSpare); }

void BindingLines::write(std::string_view namespace_name, std::string_view name,
                         std::string_view node) {
  buffer_ += R"({"namespace":)";
  append_string(namespace_name, buffer_);
  buffer_ += R"(,"name":)";
  append_string(name, buffer_);
  buffer_ += R"(,"node":)";
  append_string(node, buffer_);
  buffer_ += "}\n";
  if (buffer_.size() >= kFull) flush();
}

void BindingLines::flush() {
  if (!buffer_.empty()) sink_.write(std::string_view(buffer_));
  buffer_.clear();
}

}  // namespace berth::output
