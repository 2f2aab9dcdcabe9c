#pragma once

// Writes the measured work of a core to a trace: the calls of its plugins, its decisions and its
// batches of bindings. Without a trace it does nothing. One thread, that of the core.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "bench/macro/measure/trace.h"
#include "engine/runtime/core.h"

namespace berth::bench {

class WorkTrace {
 public:
  // Both outlive it; `trace` may be null.
  WorkTrace(runtime::Core& core, Trace* trace);

  // Calls of plugins between begin() and end() are written.
  void begin() {
    if (trace_ != nullptr) log_calls(true);
  }
  void end() {
    if (trace_ != nullptr) log_calls(false);
  }

  // Call these around a decision, and decided() in between.
  void decision_begins() {
    if (trace_ != nullptr) decision_begun_ = now();
  }
  void decided(const model::PodRecord& pod, runtime::PodOutcome outcome) {
    if (trace_ != nullptr) note(pod, outcome);
  }
  void decision_ended() {
    if (trace_ != nullptr) trace_->cycle(namespace_, name_, outcome_, decision_begun_, now());
  }
  // Call these around a batch of bindings.
  void binding_begins() {
    if (trace_ != nullptr) binding_begun_ = now();
  }
  void binding_ended(size_t pods) {
    if (trace_ != nullptr) trace_->bindings(pods, binding_begun_, now());
  }

  uint64_t dropped() const { return trace_ != nullptr ? trace_->dropped() : 0; }

 private:
  static Trace::Time now() { return host::CallLog::Clock::now(); }
  void log_calls(bool yes);
  void note(const model::PodRecord& pod, runtime::PodOutcome outcome);

  runtime::Core& core_;
  Trace* const trace_;
  std::vector<host::CallLog*> logs_;  // of the deciding thread, then of the others
  Trace::Time decision_begun_, binding_begun_;
  // The outcome and the pod of the last decision.
  const char* outcome_ = "";
  std::string_view namespace_, name_;
};

}  // namespace berth::bench
