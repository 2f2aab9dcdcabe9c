#include "engine/isolation/child/plugin_lane.h"

#include <cstring>

namespace berth::isolation {

void PluginLane::receive() {
  while (!wait(words().to_plugin, seen_, spin_, std::chrono::hours(1))) {
  }
  ++seen_;
}

Request& PluginLane::next_call() {
  texts_.clear();
  memory_.clear();
  objects_.clear();
  if (next_ == nullptr) {
    receive();
    next_ = reinterpret_cast<Request*>(base_ + words().down_offset);
    call_ = 0;
  } else {
    ++call_;
  }
  Request& request = *next_;
  next_ = request.next;
  call_now_ = {request.now, request.random};
  return request;
}

void PluginLane::say(Ask kind, const Writer& message) {
  const std::span<const std::byte> bytes = message.bytes();
  if (bytes.size() > kMessageBytes) throw BadMessage("the message is too long for the lane");
  if (!bytes.empty()) std::memcpy(base_ + message_place(call_), bytes.data(), bytes.size());
  words().up[call_] = {static_cast<uint32_t>(kind), static_cast<uint32_t>(bytes.size())};
  post(words().to_engine);
}

Reader PluginLane::ask(Ask kind, const Writer& question) {
  say(kind, question);
  receive();
  return Reader({base_ + words().down_offset, words().down_size});
}

void PluginLane::end(const Writer& result) { say(Ask::kEnd, result); }

}  // namespace berth::isolation
