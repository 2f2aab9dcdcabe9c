#pragma once

// The text of a file in memory. Internal to this module.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace berth::document::internal {

class FileText {
 public:
  // So many zero bytes stand behind the text, so that parsers need not ask for its end at every
  // step and may look at eight bytes at a time.
  static constexpr size_t kPadding = 16;

  static FileText copy(std::string_view text);

  // All of a file, or of standard input if the path is "-". Throws Error if it cannot be read or
  // has more than `limit` bytes.
  static FileText read(const std::string& path, uint64_t limit);

  std::string_view view() const { return {bytes_.get(), size_}; }

 private:
  explicit FileText(size_t capacity) { resize(capacity); }
  void resize(size_t capacity);  // keeps the text
  void end(size_t size);         // here, and lets the padding follow

  std::unique_ptr<char[]> bytes_;
  size_t size_ = 0;
  size_t capacity_ = 0;  // without the padding
};

// The message about a text of more than so many bytes.
std::string too_large(uint64_t limit);

}  // namespace berth::document::internal
