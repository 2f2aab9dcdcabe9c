#pragma once

// Writes the events of a run, as JSON lines, while it goes on.

#include <string>

#include "engine/base/io/io.h"
#include "engine/events/event_lines.h"
#include "engine/runtime/core.h"

namespace berth::cli {

// One thread, that of the core.
class EventFile {
 public:
  // Creates the file, or truncates it; "-" is standard output. The core outlives it. Throws Error.
  EventFile(const std::string& path, const runtime::Core& core) : core_(core), sink_(path) {}

  // Collects the event, if one follows. Its time is that of the run's clock.
  void take(const runtime::Report& report);
  // Writes what was collected. Throws Error.
  void flush() { lines_.flush(); }
  // The same once it is much.
  void flush_if_full() {
    if (lines_.full()) lines_.flush();
  }

 private:
  // In the place of a host's name, so that equal runs have equal events.
  static constexpr const char* kHost = "berth";

  const runtime::Core& core_;
  FileSink sink_;
  events::EventLines lines_{sink_, kHost};
};

}  // namespace berth::cli
