#pragma once

// Writes events as JSON lines, one for each event: equal ones make no series.

#include <rapidjson/stringbuffer.h>

#include <cstdint>
#include <string>
#include <utility>

#include "engine/base/io/io.h"
#include "engine/events/event.h"
#include "engine/events/event_name.h"

namespace berth::events {

// One thread.
class EventLines {
 public:
  // `sink` outlives it. `host`: reportingInstance is CONTROLLER-HOST.
  EventLines(ByteSink& sink, std::string host) : sink_(sink), host_(std::move(host)) {}

  // Collects the event of that time, in nanoseconds since 1970. Times do not go back.
  void add(Event event, int64_t wall);
  // So much is collected that a write is worth its call.
  bool full() const { return lines_.GetSize() >= kFull; }
  // Writes whole lines: all that were collected. Throws Error as the sink does; they are lost then.
  void flush();

 private:
  static constexpr size_t kFull = size_t{1} << 16;

  ByteSink& sink_;
  const std::string host_;
  EventNames names_;
  rapidjson::StringBuffer lines_;
};

}  // namespace berth::events
