#include "engine/host/calls/checks/watchdog.h"

#include <algorithm>
#include <utility>

#include "engine/host/faults/stuck_call.h"

namespace berth::host {
namespace {

std::string duration_text(std::chrono::milliseconds duration) {
  if (duration.count() % 1000 != 0) return std::to_string(duration.count()) + " ms";
  return std::to_string(duration.count() / 1000) + " s";
}

}  // namespace

Deadlines::Deadlines(const HookTable& hooks, std::vector<CallContext*> contexts,
                     WatchdogOptions options)
    : hooks_(hooks),
      contexts_(std::move(contexts)),
      options_(std::move(options)),
      seen_(contexts_.size()) {}

void Deadlines::look(Time now) {
  for (size_t i = 0; i < contexts_.size(); ++i) {
    const uint64_t activity = contexts_[i]->activity();
    Seen& seen = seen_[i];
    if (activity != seen.activity) seen = {activity, now, false, false};
    if (CallContext::hook_of(activity) == 0) continue;
    const auto elapsed = now - seen.since;
    if (elapsed >= options_.late && !std::exchange(seen.late, true)) {
      contexts_[i]->mark_late(activity, {seen.since, options_.late});
    }
    if (elapsed >= options_.limit && !std::exchange(seen.reported, true)) {
      report(*contexts_[i], activity);
    }
  }
}

void Deadlines::report(const CallContext& calls, uint64_t activity) const {
  const HookTable::Name name = hooks_.name(CallContext::hook_of(activity));
  if (options_.on_stuck)
    return options_.on_stuck("plugin \"" + name.plugin + "\" has not returned from " + name.hook +
                             " for " + duration_text(options_.limit));
  end_stuck(
      {&calls.activity_word(), activity, {name.plugin, name.hook, name.file}, options_.limit});
}

Watchdog::Watchdog(const HookTable& hooks, std::vector<CallContext*> contexts, Options options)
    : pause_(std::max(std::min(options.late, options.limit) / 10, std::chrono::milliseconds(1))),
      contexts_(contexts),
      deadlines_(hooks, std::move(contexts), std::move(options)) {
  handle_stuck_calls();
  for (CallContext* calls : contexts_) calls->watch(true);
  thread_ = std::thread([this] { run(); });
}

Watchdog::~Watchdog() {
  {
    const MutexLock lock(mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  thread_.join();
  for (CallContext* calls : contexts_) calls->watch(false);
}

void Watchdog::run() {
  mutex_.lock();
  while (!stop_) {
    // A wake-up before its time costs one look.
    wake_.wait_for(mutex_, pause_);
    if (stop_) break;
    mutex_.unlock();
    deadlines_.look(std::chrono::steady_clock::now());
    mutex_.lock();
  }
  mutex_.unlock();
}

}  // namespace berth::host
