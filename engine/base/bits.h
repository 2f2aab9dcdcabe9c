#pragma once

// Bits of a word by number, without an instruction that some processors lack.

#include <bit>
#include <cstdint>

namespace berth {

// The place of the bit that has `number` lower bits set below it: 0 for the lowest set bit.
// Precondition: more bits than that are set.
constexpr uint32_t place_of_bit(uint64_t word, uint32_t number) {
  constexpr uint64_t kOnes = 0x0101010101010101u, kHighs = 0x80 * kOnes;
  // The number of set bits in each byte, then in it and all lower ones.
  uint64_t counts = word - ((word >> 1) & (0x55 * kOnes));
  counts = (counts & (0x33 * kOnes)) + ((counts >> 2) & (0x33 * kOnes));
  counts = ((counts + (counts >> 4)) & (0x0f * kOnes)) * kOnes;
  // A high bit for each byte that ends below the bit.
  const uint64_t ended = ((number * kOnes | kHighs) - counts) & kHighs;
  const uint32_t byte = 8 * static_cast<uint32_t>((ended >> 7) * kOnes >> 56);
  number -= static_cast<uint32_t>(((counts << 8) >> byte) & 0xff);
  uint64_t rest = word >> byte;
  for (; number != 0; --number) rest &= rest - 1;
  return byte + static_cast<uint32_t>(std::countr_zero(rest));
}

}  // namespace berth
