#pragma once

// CRC-32C (Castagnoli, as iSCSI and ext4 have it; of "123456789" it is 0xE3069283), and its
// arithmetic: from the CRCs of two texts follows that of one behind the other, and from those of
// two beginnings of a text that of what lies between.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace berth {

// Of `bytes`, or of what `before` is the CRC of followed by `bytes`. Any number of threads.
uint32_t crc32c(std::span<const uint8_t> bytes, uint32_t before = 0);

// The CRC of two texts behind each other, from the CRC of each and the length of the second.
uint32_t crc32c_concatenated(uint32_t first, uint32_t second, uint64_t second_length);

// CRCs of any part of a text in constant time. A reader that looks for a frame among damaged bytes
// asks for many parts that overlap; computing each from its bytes would be quadratic.
class Crc32cParts {
 public:
  // Forgets the former text. The bytes stay the caller's, and must not change until the next
  // reset(); more may be added behind them.
  void reset(const uint8_t* text);

  // The CRC of text[begin, end). Requires: begin <= end, and the text is that long by now.
  uint32_t of(size_t begin, size_t end);

 private:
  uint32_t beginning(size_t length);  // of text[0, length)

  static constexpr size_t kStep = 1024;

  const uint8_t* text_ = nullptr;
  std::vector<uint32_t> beginnings_{0};  // [i]: of text[0, i * kStep)
};

}  // namespace berth
