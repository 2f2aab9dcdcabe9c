#pragma once

// Shared by the functions of an isolated plugin's tables.

#include "engine/isolation/parent/failure.h"
#include "engine/isolation/parent/instance.h"

namespace berth::isolation {

inline const State* state_of(const berth_call* call) {
  return static_cast<const State*>(call->state);
}

// Runs a call. If the process fails, `instead` answers under the policy kSkip; else the call fails
// with a text.
template <typename Function, typename Instead>
berth_code guarded(berth_plugin* plugin, const berth_text_sink* sink, Function&& function,
                   Instead&& instead) {
  return guarded(sink, [&] {
    try {
      return function();
    } catch (const ProcessFailure& failure) {
      if (of(plugin).plugin().options().on_failure != OnFailure::kSkip) throw;
      of(plugin).log_skipped(failure);
      return instead();
    }
  });
}

}  // namespace berth::isolation
