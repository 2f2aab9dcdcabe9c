#pragma once

// Records scheduling cycles, plugin calls and bindings as a Chrome trace for Perfetto or
// chrome://tracing.

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/io/io.h"
#include "engine/host/calls/call_context.h"

namespace berth::bench {

// Bounded: events beyond `most_events` of a kind are dropped and counted.
class Trace {
 public:
  using Time = host::CallLog::Clock::time_point;

  explicit Trace(size_t most_events) : most_(most_events) {}

  // Creates the call log of another thread; the first one is the deciding thread. The trace owns
  // it.
  host::CallLog* add_thread();

  // Adds a scheduling cycle. `outcome` must have static lifetime.
  void cycle(std::string_view namespace_name, std::string_view pod, const char* outcome, Time begin,
             Time end);
  // Adds a batch of bindings that were written together.
  void bindings(size_t count, Time begin, Time end);

  uint64_t dropped() const;

  // Writes the trace as JSON, in order of time within each thread. Throws Error as the sink does.
  void write(const host::HookTable& hooks, ByteSink& sink) const;

 private:
  struct Span {
    std::string name;
    const char* outcome;  // null: a batch of bindings
    uint64_t count = 0;
    Time begin, end;
  };

  size_t most_;
  std::vector<Span> cycles_;
  uint64_t dropped_ = 0;
  std::vector<std::unique_ptr<host::CallLog>> calls_;
};

}  // namespace berth::bench
