#pragma once

// The text of a file in memory, with padding. Internal to this module.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace berth::document::internal {

class FileText {
 public:
  // Number of zero bytes after the text. Parsers rely on them to read eight bytes at a time and to
  // check for the end of the text only once per token.
  static constexpr size_t kPadding = 16;

  static FileText copy(std::string_view text);  // copies the text and pads the copy

  // Reads a whole file, or standard input if the path is "-". Throws Error if it cannot be read or
  // has more than `limit` bytes.
  static FileText read(const std::string& path, uint64_t limit);

  std::string_view view() const { return {bytes_.get(), size_}; }

 private:
  explicit FileText(size_t capacity) { resize(capacity); }
  void resize(size_t capacity);  // keeps the text
  void end(size_t size);         // sets the size and writes the padding

  std::unique_ptr<char[]> bytes_;
  size_t size_ = 0;
  size_t capacity_ = 0;  // without the padding
};

// The error message for a text of more than `limit` bytes.
std::string too_large(uint64_t limit);

}  // namespace berth::document::internal
