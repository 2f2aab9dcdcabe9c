#pragma once

// Numbers and texts as bytes, in as few as they need: the payloads of a journal's frames.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace berth::cli {

class Packer {
 public:
  // Seven bits a byte, the lowest first; the highest bit of each byte but the last is set.
  void number(uint64_t value);
  void text(std::string_view value);  // its length, then its bytes
  void bytes(std::span<const uint8_t> value) {
    bytes_.insert(bytes_.end(), value.begin(), value.end());
  }
  void clear() { bytes_.clear(); }
  size_t size() const { return bytes_.size(); }
  const std::vector<uint8_t>& packed() const { return bytes_; }

 private:
  std::vector<uint8_t> bytes_;
};

// Reads what a Packer wrote, and trusts nothing. Views are valid as long as the bytes.
class Unpacker {
 public:
  explicit Unpacker(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  // These throw Error if the bytes end early or are no number.
  uint64_t number();
  uint32_t small();  // a number below 2^32
  std::string_view text();
  std::span<const uint8_t> rest();
  bool done() const { return bytes_.empty(); }

 private:
  std::span<const uint8_t> take(size_t count);

  std::span<const uint8_t> bytes_;
};

}  // namespace berth::cli
