#include "engine/isolation/child/plugin_lane.h"

#include <cstring>

#include "engine/base/assert.h"

namespace berth::isolation {

Call PluginLane::receive() {
  while (!wait(words().to_plugin, seen_, spin_, std::chrono::hours(1))) {
  }
  ++seen_;
  return static_cast<Call>(words().down_kind);
}

Call PluginLane::next_call() {
  texts_.clear();
  bytes_.clear();
  objects_.clear();
  return receive();
}

void PluginLane::say(Ask kind, const Writer& message) {
  const std::span<const std::byte> bytes = message.bytes();
  if (bytes.size() > kMessageBytes) throw BadMessage("the message is too long for the lane");
  if (!bytes.empty()) std::memcpy(base_ + kWordsBytes, bytes.data(), bytes.size());
  words().up_kind = static_cast<uint32_t>(kind);
  words().up_size = static_cast<uint32_t>(bytes.size());
  post(words().to_engine);
}

Reader PluginLane::ask(Ask kind, const Writer& question) {
  say(kind, question);
  BERTH_ASSERT(receive() == Call::kAnswer);
  return Reader({base_ + words().down_offset, words().down_size});
}

void PluginLane::end(const Writer& result) { say(Ask::kEnd, result); }

std::byte* PluginLane::keep_bytes(std::span<const std::byte> bytes) {
  return bytes_.emplace_back(bytes.begin(), bytes.end()).data();
}

}  // namespace berth::isolation
