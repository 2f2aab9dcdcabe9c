#include "engine/base/io/crc32c.h"

#include <isa-l/crc.h>

#include <algorithm>
#include <array>
#include <climits>

#include "engine/base/assert.h"

namespace berth {
namespace {

// A CRC is a polynomial over GF(2) modulo kPolynomial. The highest bit of a number is the
// coefficient of x^0.
constexpr uint32_t kPolynomial = 0x82f63b78;
constexpr uint32_t kOne = uint32_t{1} << 31;

constexpr uint32_t times_x(uint32_t a) { return (a >> 1) ^ ((a & 1) != 0 ? kPolynomial : 0); }

constexpr uint32_t product(uint32_t a, uint32_t b) {
  uint32_t sum = 0;
  for (; a != 0; a <<= 1, b = times_x(b)) {
    if ((a & kOne) != 0) sum ^= b;
  }
  return sum;
}

// Element k is x to the power of 8 * 2^k; multiplying by it appends 2^k zero bytes to the text of a
// CRC.
constexpr std::array<uint32_t, 64> make_powers() {
  std::array<uint32_t, 64> powers{};
  powers[0] = kOne >> 8;
  for (size_t k = 1; k < powers.size(); ++k) powers[k] = product(powers[k - 1], powers[k - 1]);
  return powers;
}
constexpr std::array<uint32_t, 64> kPowers = make_powers();

uint32_t past_zeros(uint32_t crc, uint64_t length) {
  for (size_t k = 0; length != 0; ++k, length >>= 1) {
    if ((length & 1) != 0) crc = product(kPowers[k], crc);
  }
  return crc;
}

}  // namespace

uint32_t crc32c(std::span<const uint8_t> bytes, uint32_t before) {
  // ISA-L leaves the inversions before and after to the caller. It does not write to its input.
  uint32_t state = ~before;
  while (!bytes.empty()) {
    const size_t part = std::min<size_t>(bytes.size(), INT_MAX);
    state = crc32_iscsi(const_cast<uint8_t*>(bytes.data()), static_cast<int>(part), state);
    bytes = bytes.subspan(part);
  }
  return ~state;
}

uint32_t crc32c_concatenated(uint32_t first, uint32_t second, uint64_t second_length) {
  return past_zeros(first, second_length) ^ second;
}

void Crc32cParts::reset(const uint8_t* text) {
  text_ = text;
  beginnings_.resize(1);
}

uint32_t Crc32cParts::of(size_t begin, size_t end) {
  BERTH_ASSERT(begin <= end);
  // crc(AB) = past_zeros(crc(A), |B|) + crc(B), and addition is its own inverse.
  return crc32c_concatenated(beginning(begin), beginning(end), end - begin);
}

uint32_t Crc32cParts::beginning(size_t length) {
  while (beginnings_.size() <= length / kStep) {
    const size_t at = (beginnings_.size() - 1) * kStep;
    beginnings_.push_back(crc32c({text_ + at, kStep}, beginnings_.back()));
  }
  const size_t at = length / kStep * kStep;
  return crc32c({text_ + at, length - at}, beginnings_[length / kStep]);
}

}  // namespace berth
