#include "cli/replay/journal/packed.h"

#include "engine/base/error.h"

namespace berth::cli {
namespace {

constexpr uint8_t kMore = 0x80;
constexpr int kBits = 7;

}  // namespace

void Packer::number(uint64_t value) {
  for (; value >= kMore; value >>= kBits) bytes_.push_back(static_cast<uint8_t>(value | kMore));
  bytes_.push_back(static_cast<uint8_t>(value));
}

void Packer::text(std::string_view value) {
  number(value.size());
  bytes_.insert(bytes_.end(), value.begin(), value.end());
}

std::span<const uint8_t> Unpacker::take(size_t count) {
  if (count > bytes_.size()) throw Error("a frame of the journal is shorter than it says");
  const std::span<const uint8_t> taken = bytes_.first(count);
  bytes_ = bytes_.subspan(count);
  return taken;
}

uint64_t Unpacker::number() {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += kBits) {
    const uint8_t byte = take(1)[0];
    value |= static_cast<uint64_t>(byte & (kMore - 1)) << shift;
    if (byte < kMore) return value;
  }
  throw Error("a frame of the journal has a number that is too large");
}

uint32_t Unpacker::small() {
  const uint64_t value = number();
  if (value > UINT32_MAX) throw Error("a frame of the journal has a number that is too large");
  return static_cast<uint32_t>(value);
}

std::string_view Unpacker::text() {
  const std::span<const uint8_t> taken = take(number());
  return {reinterpret_cast<const char*>(taken.data()), taken.size()};
}

std::span<const uint8_t> Unpacker::rest() { return take(bytes_.size()); }

}  // namespace berth::cli
