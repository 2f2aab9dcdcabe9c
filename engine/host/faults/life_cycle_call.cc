#include "engine/host/faults/life_cycle_call.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "engine/base/program/signals.h"
#include "engine/host/faults/stuck_call.h"

namespace berth::host {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constinit std::atomic<const PluginFunction*> watched = nullptr;
constinit std::atomic<Clock::rep> begun = 0;  // when the watched call began; no two are equal
constinit std::atomic<int64_t> limit_in_milliseconds = LifeCycleCall::kLimit.count();

constexpr PluginFunction kSomePlugin = {"(unknown)", "its static destructors", ""};

Clock::rep now() { return Clock::now().time_since_epoch().count(); }
milliseconds limit() { return milliseconds(limit_in_milliseconds.load()); }
// The time for which the watched call has lasted.
milliseconds age() {
  return std::chrono::duration_cast<milliseconds>(Clock::duration(now() - begun.load()));
}

// Runs on a thread of its own. It looks often enough to notice a lower limit for the calls that
// follow it.
void* end_stuck_calls(void*) {
  for (;;) {
    std::this_thread::sleep_for(std::clamp(limit() / 8, milliseconds(5), milliseconds(50)));
    const PluginFunction* function = watched.load();
    const Clock::rep seen = begun.load();
    if (function == nullptr || age() < limit()) continue;
    if (seen == begun.load() && function == watched.load()) end_stuck(*function, limit(), false);
  }
}

// Once in each process: a child of fork() has no such thread.
void start_watch() {
  static constinit std::atomic<pid_t> process = 0;
  if (process.exchange(::getpid()) == ::getpid()) return;
  const SignalsBlocked in_the_thread;
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  ::pthread_attr_setstacksize(&attributes, 64 * 1024);
  pthread_t thread;
  ::pthread_create(&thread, &attributes, end_stuck_calls, nullptr);
  ::pthread_attr_destroy(&attributes);
}

bool watch(const PluginFunction& function) {
  const PluginFunction* none = nullptr;
  if (watched.load() != nullptr) return false;
  const Clock::rep before = begun.exchange(now());
  if (!watched.compare_exchange_strong(none, &function)) {
    begun.store(before);
    return false;
  }
  start_watch();
  return true;
}

}  // namespace

LifeCycleCall::LifeCycleCall(const PluginFunction& function)
    : watches_(watch(function)), scope_(function) {}

LifeCycleCall::~LifeCycleCall() {
  if (watches_) watched.store(nullptr);
}

void LifeCycleCall::begin_exit() noexcept { static_cast<void>(watch(kSomePlugin)); }

void LifeCycleCall::set_limit(milliseconds limit) { limit_in_milliseconds.store(limit.count()); }

}  // namespace berth::host
