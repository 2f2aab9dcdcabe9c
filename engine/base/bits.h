#pragma once

// Finds bits of a word by number, with instructions that every processor has.

#include <bit>
#include <cstdint>

namespace berth {

// The position of the set bit with this number; the lowest set bit has number 0. 64: there is none.
// Precondition: number < 64.
constexpr uint32_t place_of_bit(uint64_t word, uint32_t number) {
  constexpr uint64_t kOnes = 0x0101010101010101u, kHighs = 0x80 * kOnes;
  // The number of set bits in each byte, then in it and all lower ones.
  uint64_t counts = word - ((word >> 1) & (0x55 * kOnes));
  counts = (counts & (0x33 * kOnes)) + ((counts >> 2) & (0x33 * kOnes));
  counts = ((counts + (counts >> 4)) & (0x0f * kOnes)) * kOnes;
  // A high bit for each byte that ends below the bit.
  const uint64_t ended = ((number * kOnes | kHighs) - counts) & kHighs;
  const uint32_t byte = 8 * static_cast<uint32_t>((ended >> 7) * kOnes >> 56);
  if (byte == 64) return 64;
  number -= static_cast<uint32_t>(((counts << 8) >> byte) & 0xff);
  uint64_t rest = word >> byte;
  for (; number != 0; --number) rest &= rest - 1;
  return byte + static_cast<uint32_t>(std::countr_zero(rest));
}

}  // namespace berth
