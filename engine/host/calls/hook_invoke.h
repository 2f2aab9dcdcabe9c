#pragma once

// The templates of Hook that call a plugin. Included only by the sources of checked_calls.h.

#include <utility>

#include "engine/host/calls/hook.h"

namespace berth::host {

// Shows the watchdog that a call is in progress, and times it if the context asks for that.
class CallScope {
 public:
  CallScope(CallContext& worker, HookId id) : worker_(worker), id_(id), outer_(worker.enter(id)) {
    if (worker.times_calls()) [[unlikely]]
      begin_ = Clock::now();
  }
  ~CallScope() {
    worker_.leave(outer_);
    if (begin_ != Clock::time_point()) [[unlikely]]
      worker_.add_time({id_, begin_, Clock::now()});
  }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

 private:
  using Clock = CallLog::Clock;

  CallContext& worker_;
  const HookId id_;
  const uint64_t outer_;
  Clock::time_point begin_;
};

template <typename Function>
CallError Hook::invoke_plain(CallContext& worker, Function&& function) const {
  ++worker.counts(id_).calls;
  worker.clear_text();
  berth_code code = BERTH_SUCCESS;
  bool is_late = false;
  try {
    const CallScope scope(worker, id_);
    code = std::forward<Function>(function)();
    is_late = worker.late();
  } catch (...) {
    return threw(worker);
  }
  if (is_late) [[unlikely]]
    return late(worker);
  if (code != BERTH_SUCCESS) [[unlikely]]
    return failed(worker, code);
  return {};
}

template <typename Function>
CallError Hook::invoke(CallContext& worker, berth_call& call, Function&& function) const {
  call.size = sizeof call;
  call.error = worker.sink();
  return invoke_plain(worker, std::forward<Function>(function));
}

}  // namespace berth::host
