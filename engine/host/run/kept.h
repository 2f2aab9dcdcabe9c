#pragma once

// Answers that the host keeps must not depend on the time or on random numbers, so the services of
// these refuse calls from functions whose answers are kept (berth/abi/clock.h). The call of the
// hook then fails.

#include <cstdint>
#include <string>

#include "engine/base/points.h"
#include "engine/host/faults/in_plugin.h"

namespace berth::host {

// Says what the host keeps of the answers of a hook. `depends`: one of BERTH_DEPENDS_.
Keeps kept_of(Point point, uint32_t depends);

// A service refused the call of the function that the calling thread runs. Seen where that function
// returns, by its address, so that it costs other calls nothing.
class Refusal {
 public:
  // `service`: "clock.now"; a literal. The first one counts.
  static void note(const PluginFunction& in, const char* service) {
    if (of(in)) return;
    in_ = &in;
    service_ = service;
  }
  static bool of(const PluginFunction& in) { return in_ == &in; }
  static void forget() { in_ = nullptr; }
  // "called clock.now in Filter, whose answers are kept: ...". Precondition: of(in).
  static std::string text(const PluginFunction& in);

 private:
  static inline constinit thread_local const PluginFunction* in_ = nullptr;
  static inline constinit thread_local const char* service_ = nullptr;
};

}  // namespace berth::host
