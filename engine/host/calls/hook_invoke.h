#pragma once

// The templates of Hook that call a plugin. Included only by the sources of checked_calls.h.

#include <type_traits>
#include <utility>

#include "engine/host/calls/hook.h"
#include "engine/host/calls/tag_scope.h"
#include "engine/host/faults/floating_point.h"
#include "engine/host/faults/in_plugin.h"
#include "engine/host/run/kept.h"

namespace berth::host {

// Shows the watchdog and the handlers of faults that a call is in progress, and times it if the
// context asks for that. Inlined, since a call about one row takes no longer than two calls of
// these.
class CallScope {
 public:
  // `function` outlives the scope.
  [[gnu::always_inline]] CallScope(CallContext& calls, HookId id, const PluginFunction& function)
      : calls_(calls), id_(id), outer_(calls.enter(id)), in_plugin_(function) {
    if (calls.times_calls()) [[unlikely]]
      begin_ = Clock::now();
  }
  [[gnu::always_inline]] ~CallScope() {
    calls_.leave(outer_);
    if (begin_ != Clock::time_point()) [[unlikely]]
      calls_.add_time({id_, begin_, Clock::now()});
  }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

 private:
  using Clock = CallLog::Clock;

  CallContext& calls_;
  const HookId id_;
  const uint64_t outer_;
  const InPlugin in_plugin_;
  Clock::time_point begin_;
};

// Order matters: the scope ends before the result is judged, so that the time to build an error
// text is not the plugin's; late() is read while the call is still the current one. That a service
// refused the call is one bit with that: calls pay for no further branch. A function without a
// result succeeds.
template <typename Function>
CallError Hook::invoke_in(const PluginFunction& in, CallContext& calls, Function&& function) const {
  ++calls.counts(id_).calls;
  calls.clear_text();
  berth_code code = BERTH_SUCCESS;
  bool is_odd = false;
  try {
    const CallScope scope(calls, id_, in);
    if constexpr (std::is_void_v<decltype(function())>)
      std::forward<Function>(function)();
    else
      code = std::forward<Function>(function)();
    is_odd = (unsigned{calls.late()} | unsigned{Refusal::of(in)}) != 0;
  } catch (...) {
    return threw(calls);
  }
  if (floating_point_changed()) [[unlikely]]
    return broken(calls, restore_floating_point(function_.function));
  if (is_odd) [[unlikely]]
    return late_or_refused(in, calls);
  if (code != BERTH_SUCCESS) [[unlikely]]
    return failed(calls, code);
  return {};
}

template <typename Function>
CallError Hook::invoke(CallContext& calls, berth_call& call, Function&& function) const {
  call.size = sizeof call;
  call.error = calls.sink();
  return invoke_plain(calls, std::forward<Function>(function));
}

template <typename Function>
CallError Hook::invoke_bind(CallContext& calls, berth_call& call, Function&& function) const {
  const TagScope scope(TagScope::Tag::kBind);
  CallError error = invoke(calls, call, std::forward<Function>(function));
  if (scope.refused() == nullptr) [[likely]]
    return error;
  return used_the_model(calls, scope);
}

template <typename Function>
CallError Hook::invoke_rows(CallContext& calls, berth_call& call, Function&& function) const {
  const TagScope scope(TagScope::Tag::kRows);
  CallError error = invoke(calls, call, std::forward<Function>(function));
  if (scope.refused() == nullptr) [[likely]]
    return error;
  return used_the_model(calls, scope);
}

}  // namespace berth::host
