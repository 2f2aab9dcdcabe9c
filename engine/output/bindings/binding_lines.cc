#include "engine/output/bindings/binding_lines.h"

#include <cstdint>
#include <cstring>

#include "engine/document/document.h"

namespace berth::output {
namespace {

constexpr size_t kCapacity = size_t{1}
                             << 16;  // initial size of the buffer; a longer line enlarges it

// True if a byte of the word cannot be copied into a JSON string unchanged: a quote, a backslash, a
// control character, or a byte that is not ASCII and therefore needs a check for valid UTF-8.
bool special(uint64_t word) {
  constexpr uint64_t kOnes = 0x0101010101010101;
  constexpr uint64_t kHigh = 0x8080808080808080;
  // For a byte x without high bit, x - n has the high bit if x < n (n <= 128). A borrow into the
  // next byte can only come from a byte that is below n itself, which already gives the result.
  const uint64_t quote = word ^ (kOnes * '"');
  const uint64_t backslash = word ^ (kOnes * '\\');
  const uint64_t del = word ^ (kOnes * 0x7f);
  const uint64_t below =
      (word - kOnes * 0x20) | (quote - kOnes) | (backslash - kOnes) | (del - kOnes);
  return ((below | word) & kHigh) != 0;
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

constexpr std::string_view kBeforeNamespace = R"({"namespace":")";
constexpr std::string_view kBeforeName = R"(","name":")";
constexpr std::string_view kBeforeNode = R"(","node":")";
constexpr std::string_view kEnd = "\"}\n";
constexpr size_t kAround =
    kBeforeNamespace.size() + kBeforeName.size() + kBeforeNode.size() + kEnd.size();

char* put(std::string_view text, char* at) {
  if (!text.empty()) std::memcpy(at, text.data(), text.size());
  return at + text.size();
}

// Escapes a text for JSON, without quotes; they are part of the surrounding text.
std::string_view escaped(std::string_view text, std::string& memory) {
  if (plain(text)) return text;
  memory.clear();
  document::append_json_string(text, memory);
  return std::string_view(memory).substr(1, memory.size() - 2);
}

}  // namespace

BindingLines::BindingLines(ByteSink& sink) : sink_(sink), buffer_(kCapacity) {}

void BindingLines::write(std::string_view namespace_name, std::string_view name,
                         std::string_view node) {
  namespace_name = escaped(namespace_name, escapes_[0]);
  name = escaped(name, escapes_[1]);
  node = escaped(node, escapes_[2]);
  const size_t size = kAround + namespace_name.size() + name.size() + node.size();
  if (size > buffer_.size() - used_) {
    flush();
    if (size > buffer_.size()) buffer_.resize(size);
  }
  char* at = buffer_.data() + used_;
  at = put(namespace_name, put(kBeforeNamespace, at));
  at = put(name, put(kBeforeName, at));
  at = put(node, put(kBeforeNode, at));
  put(kEnd, at);
  used_ += size;
}

void BindingLines::flush() {
  if (used_ != 0) sink_.write(std::string_view(buffer_.data(), used_));
  used_ = 0;
}

}  // namespace berth::output
