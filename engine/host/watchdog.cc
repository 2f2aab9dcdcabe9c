#include "engine/host/watchdog.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace berth::host {
namespace {

using Clock = std::chrono::steady_clock;

std::string duration_text(std::chrono::milliseconds duration) {
  if (duration.count() % 1000 != 0) return std::to_string(duration.count()) + " ms";
  return std::to_string(duration.count() / 1000) + " s";
}

}  // namespace

Watchdog::Watchdog(const HookTable& hooks, std::vector<Worker*> workers, Options options)
    : hooks_(hooks),
      workers_(std::move(workers)),
      options_(std::move(options)),
      seen_(workers_.size(), Seen{0, Clock::now(), false, false}),
      thread_([this] { run(); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Watchdog::run() {
  const auto pause =
      std::max(std::min(options_.late, options_.limit) / 10, std::chrono::milliseconds(1));
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, pause, [this] { return stop_; })) {
    lock.unlock();
    look(Clock::now());
    lock.lock();
  }
}

void Watchdog::look(Clock::time_point now) {
  for (size_t i = 0; i < workers_.size(); ++i) {
    const uint64_t activity = workers_[i]->activity();
    Seen& seen = seen_[i];
    if (activity != seen.activity) seen = {activity, now, false, false};
    if (Worker::hook_of(activity) == 0) continue;
    const auto elapsed = now - seen.since;
    if (elapsed >= options_.late && !std::exchange(seen.late, true)) {
      workers_[i]->mark_late(activity);
    }
    if (elapsed >= options_.limit && !std::exchange(seen.reported, true)) {
      report(Worker::hook_of(activity));
    }
  }
}

void Watchdog::report(HookId hook) const {
  const HookTable::Name name = hooks_.name(hook);
  const std::string message = "plugin \"" + name.plugin + "\" has not returned from " + name.hook +
                              " for " + duration_text(options_.limit);
  if (options_.on_stuck) return options_.on_stuck(message);
  std::fprintf(stderr, "berth: error: %s; it can only be ended with the process\n",
               message.c_str());
  std::fflush(stderr);
  _exit(kExitCode);
}

}  // namespace berth::host
