#include "engine/events/event_name.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>

namespace berth::events {
namespace {

constexpr size_t kNameBytes = 253;  // of a DNS subdomain

// With the bits of version 4, as client-go draws one.
std::string uuid_of(const std::string& text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}", hash.high64 >> 32,
                     hash.high64 >> 16 & 0xFFFF, hash.high64 & 0xFFF,
                     0x8000 | (hash.low64 >> 48 & 0x3FFF), hash.low64 & 0xFFFFFFFFFFFF);
}

}  // namespace

std::string event_name(const std::string& object, int64_t wall) {
  const std::string name = fmt::format("{}.{:x}", object, wall);
  return name.size() <= kNameBytes ? name : uuid_of(name);
}

std::string EventNames::next(const std::string& object, int64_t wall) {
  latest_ = std::max(wall, latest_ + 1);
  return event_name(object, latest_);
}

}  // namespace berth::events
