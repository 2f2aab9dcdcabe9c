#pragma once

// CRC-32C (Castagnoli, as in iSCSI and ext4; the CRC of "123456789" is 0xE3069283) and its
// arithmetic: the CRC of a concatenation follows from the CRCs of its parts, and the CRC of a part
// from those of two prefixes.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace berth {

// The CRC of `bytes`, or of a text with CRC `before` followed by `bytes`. Thread-safe.
uint32_t crc32c(std::span<const uint8_t> bytes, uint32_t before = 0);

// The CRC of two texts in sequence, from the CRC of each and the length of the second in bytes.
uint32_t crc32c_concatenated(uint32_t first, uint32_t second, uint64_t second_length);

// The CRC of any part of a text in constant time. A reader that searches damaged bytes for a frame
// needs the CRCs of many overlapping parts; computing each from its bytes would be quadratic. Not
// thread-safe.
class Crc32cParts {
 public:
  // Starts with another text. The caller keeps the bytes alive and unchanged until the next
  // reset(); it may append to them.
  void reset(const uint8_t* text);

  // The CRC of text[begin, end). Requires begin <= end <= length of the text.
  uint32_t of(size_t begin, size_t end);

 private:
  uint32_t beginning(size_t length);  // the CRC of text[0, length)

  static constexpr size_t kStep = 1024;

  const uint8_t* text_ = nullptr;
  std::vector<uint32_t> beginnings_{0};  // [i]: the CRC of text[0, i * kStep)
};

}  // namespace berth
