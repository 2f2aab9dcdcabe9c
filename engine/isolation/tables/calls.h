#pragma once

// How the functions of an isolated plugin's tables make their calls. Each lays out its arguments,
// makes the call, and copies what came back to where the host expects it. The host checks it there,
// as it does for any plugin.

#include <algorithm>
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

template <typename T>
void take(T* out, const T* made, uint64_t count) {
  std::copy_n(made, count, out);
}

// A result of flat numbers.
template <typename T, typename Read>
T parsed(LaneCall& lane, Read&& read) {
  try {
    return read();
  } catch (const BadMessage& bad) {
    lane.process().end(std::string("was ended, because it sent garbage: ") + bad.what());
    throw ProcessFailure(lane.process().obituary());
  }
}

// A call with one array of answers.
template <Point kPoint, Call kCall, typename T>
berth_code fill(berth_plugin* plugin, const berth_call* call, T* out) {
  InstanceCall made(of(plugin), kPoint, state_of(call));
  made.put(*call);
  const T* there = made.put_output(0, out, call->count);
  berth_code code = BERTH_SUCCESS;
  made.run(kCall, call->error, code);
  take(out, there, call->count);
  return code;
}

template <Point kPoint, Call kCall, typename T>
berth_code filled(berth_plugin* plugin, const berth_call* call, T* out) {
  return guarded(call->error, [&] { return fill<kPoint, kCall>(plugin, call, out); });
}

// A call with codes and reasons.
template <Point kPoint, Call kCall>
berth_code codes_and_reasons(berth_plugin* plugin, const berth_call* call, uint8_t* codes,
                             uint32_t* reasons) {
  return guarded(call->error, [&] {
    InstanceCall made(of(plugin), kPoint, state_of(call));
    made.put(*call);
    const uint8_t* codes_there = made.put_output(0, codes, call->count);
    const uint32_t* reasons_there = made.put_output(1, reasons, call->count);
    berth_code code = BERTH_SUCCESS;
    made.run(kCall, call->error, code);
    take(codes, codes_there, call->count);
    take(reasons, reasons_there, call->count);
    return code;
  });
}

// A call without an answer.
template <Point kPoint, Call kCall>
void told(berth_plugin* plugin, const berth_call* call) {
  unguarded([&] {
    InstanceCall made(of(plugin), kPoint, state_of(call));
    made.put(*call);
    berth_code code = BERTH_SUCCESS;
    made.run(kCall, nullptr, code);
  });
}

template <Point kPoint, Call kCall>
berth_code numbers(berth_plugin* plugin, const berth_call* call, const berth_numbers_sink* sink) {
  return guarded(call->error, [&] {
    InstanceCall made(of(plugin), kPoint, state_of(call));
    made.put(*call);
    made.answers().set_numbers(sink);
    berth_code code = BERTH_SUCCESS;
    made.run(kCall, call->error, code);
    return code;
  });
}

// Replaces a function unless the plugin has none.
template <typename Function>
void replace(Function*& member, Function* by) {
  if (member != nullptr) member = by;
}

}  // namespace berth::isolation
