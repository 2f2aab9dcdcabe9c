#include "engine/host/faults/life_cycle_call.h"

#include <sys/time.h>

#include <csignal>

#include "engine/host/faults/loaded_code.h"
#include "engine/host/faults/stuck_call.h"

namespace berth::host {
namespace {

constinit std::atomic<const PluginFunction*> watched = nullptr;
constinit std::atomic<int64_t> limit_in_milliseconds = LifeCycleCall::kLimit.count();

constexpr PluginFunction kSomePlugin = {"(unknown)", "its static destructors", ""};

void set_timer(int64_t milliseconds) {
  itimerval value = {};
  value.it_value.tv_sec = milliseconds / 1000;
  value.it_value.tv_usec = milliseconds % 1000 * 1000;
  ::setitimer(ITIMER_REAL, &value, nullptr);
}

// Runs on any thread. A signal that comes too late, after the call, has no effect.
void on_alarm(int, siginfo_t*, void* context) {
  const PluginFunction* function = watched.load();
  if (function == nullptr) return;
  PluginFunction named = *function;
  if (function == &kSomePlugin)
    if (const PluginFunction* code = loaded_code_at(program_counter(context))) {
      named.plugin = code->plugin;
      named.file = code->file;
    }
  end_stuck(named, std::chrono::milliseconds(limit_in_milliseconds.load()), false);
}

void handle_alarms() {
  static const bool done = [] {
    struct sigaction action = {};
    action.sa_sigaction = on_alarm;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    ::sigaction(SIGALRM, &action, nullptr);
    return true;
  }();
  static_cast<void>(done);
}

bool watch(const PluginFunction& function) {
  const PluginFunction* none = nullptr;
  if (!watched.compare_exchange_strong(none, &function)) return false;
  handle_alarms();
  set_timer(limit_in_milliseconds.load());
  return true;
}

}  // namespace

LifeCycleCall::LifeCycleCall(const PluginFunction& function)
    : watches_(watch(function)), scope_(function) {}

LifeCycleCall::~LifeCycleCall() {
  if (!watches_) return;
  watched.store(nullptr);
  set_timer(0);
}

void LifeCycleCall::begin_exit() noexcept { static_cast<void>(watch(kSomePlugin)); }

void LifeCycleCall::set_limit(std::chrono::milliseconds limit) {
  limit_in_milliseconds.store(limit.count());
}

}  // namespace berth::host
