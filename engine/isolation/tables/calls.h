#pragma once

// Shared by the functions of an isolated plugin's tables: they make a call, and say what happens if
// the process fails.

#include <stdexcept>
#include <string>
#include <string_view>

#include "engine/isolation/parent/failure.h"
#include "engine/isolation/parent/instance.h"

namespace berth::isolation {

inline IsolatedInstance& of(berth_plugin* plugin) { return IsolatedInstance::of(plugin); }

inline bool skips(berth_plugin* plugin) {
  return of(plugin).plugin().options().on_failure == OnFailure::kSkip;
}

inline void write(const berth_text_sink* sink, std::string_view text) {
  if (sink != nullptr) sink->write(sink->context, {text.data(), text.size()});
}

// Runs a call. If the process fails, `instead` answers under the policy kSkip; else the call fails
// with a text.
template <typename Function, typename Instead>
berth_code guarded(berth_plugin* plugin, const berth_text_sink* sink, Function&& function,
                   Instead&& instead) {
  try {
    return function();
  } catch (const ProcessFailure& failure) {
    if (skips(plugin)) {
      of(plugin).log_skipped(failure);
      return instead();
    }
    write(sink, process_text(failure));
    return BERTH_ERROR;
  }
}

// The same for points at which a plugin cannot be skipped.
template <typename Function>
berth_code guarded(const berth_text_sink* sink, Function&& function) {
  try {
    return function();
  } catch (const ProcessFailure& failure) {
    write(sink, process_text(failure));
    return BERTH_ERROR;
  }
}

// For functions without a code and for texts about answers: the host catches the exception.
template <typename Function>
auto unguarded(Function&& function) {
  try {
    return function();
  } catch (const ProcessFailure& failure) {
    throw std::runtime_error(process_text(failure));
  }
}

inline const State* state_of(const berth_call* call) {
  return static_cast<const State*>(call->state);
}

}  // namespace berth::isolation
