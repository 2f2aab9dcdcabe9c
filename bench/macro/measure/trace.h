#pragma once

// What happened when, as a Chrome trace: scheduling cycles, calls of plugins, bindings. Perfetto
// and chrome://tracing show it.

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/io/io.h"
#include "engine/host/calls/call_context.h"

namespace berth::bench {

// Bounded: what comes when it is full is dropped and counted.
class Trace {
 public:
  using Time = host::CallLog::Clock::time_point;

  explicit Trace(size_t most_events) : most_(most_events) {}

  // A log for the calls of one more thread; the first is the deciding one. It lives as long as the
  // trace.
  host::CallLog* add_thread();

  // One scheduling cycle; `outcome` is a text that lives for ever.
  void cycle(std::string_view namespace_name, std::string_view pod, const char* outcome, Time begin,
             Time end);
  // Bindings written together.
  void bindings(size_t count, Time begin, Time end);

  uint64_t dropped() const;

  // The trace as JSON, in the order of time within each thread. Throws Error as the sink does.
  void write(const host::HookTable& hooks, ByteSink& sink) const;

 private:
  struct Span {
    std::string name;
    const char* outcome;  // null: of bindings
    uint64_t count = 0;
    Time begin, end;
  };

  size_t most_;
  std::vector<Span> cycles_;
  uint64_t dropped_ = 0;
  std::vector<std::unique_ptr<host::CallLog>> calls_;
};

}  // namespace berth::bench
