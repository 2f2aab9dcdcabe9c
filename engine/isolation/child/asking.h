#pragma once

// Functions of services ask the engine through this (see stub.h).

#include <exception>

#include "engine/base/program/messages.h"
#include "engine/base/text/printable.h"
#include "engine/isolation/child/plugin_lane.h"

namespace berth::isolation {

// Calls function(lane), where the thread serves a lane; else the answer is `no`. A message that
// cannot be sent, because it is too long or memory is short, counts as a failure of the service.
template <typename Answer, typename Function>
Answer on_lane(Answer no, Function&& function) noexcept {
  PluginLane* lane = PluginLane::current();
  if (lane == nullptr) return no;
  try {
    return function(*lane);
  } catch (const std::exception& failure) {
    say(printable(failure.what()));
    return no;
  }
}

inline berth_string abi_text(std::string_view text) { return {text.data(), text.size()}; }

// Writes the texts of an answer to a plugin's sink, if it has one.
inline void write_texts(Reader& answer, const berth_text_sink* sink) {
  const auto count = answer.get<uint64_t>();
  for (uint64_t i = 0; i < count; ++i) {
    const std::string_view text = answer.text();
    if (sink != nullptr && BERTH_HAS(sink, write) && sink->write != nullptr)
      sink->write(sink->context, abi_text(text));
  }
}

}  // namespace berth::isolation
