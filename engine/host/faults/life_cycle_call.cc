#include "engine/host/faults/life_cycle_call.h"

#include <pthread.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <thread>

#include "engine/base/program/signals.h"
#include "engine/host/faults/loaded_code.h"
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
// How long the watched call has lasted.
milliseconds age() {
  return std::chrono::duration_cast<milliseconds>(Clock::duration(now() - begun.load()));
}

void set_timer(milliseconds after) {
  itimerval value = {};
  value.it_value.tv_sec = after.count() / 1000;
  value.it_value.tv_usec = after.count() % 1000 * 1000;
  ::setitimer(ITIMER_REAL, &value, nullptr);
}

// Runs on any thread. A signal that comes too late, after the call, has no effect. One that comes
// too early is the plugin's own.
void on_alarm(int, siginfo_t*, void* context) {
  const PluginFunction* function = watched.load();
  if (function == nullptr) return;
  if (const milliseconds left = limit() - age(); left.count() > 0) return set_timer(left);
  PluginFunction named = *function;
  if (function == &kSomePlugin)
    if (const PluginFunction* code = loaded_code_at(program_counter(context))) {
      named.plugin = code->plugin;
      named.file = code->file;
    }
  end_stuck(named, limit(), false);
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

// Ends the process if the alarm has not: a plugin may ignore or block the signal, or stop the
// timer. The alarm comes first where it comes, because it finds the plugin of a static destructor.
void* watch_in_vain_of_alarms(void*) {
  for (;;) {
    std::this_thread::sleep_for(std::clamp(limit() / 8, milliseconds(5), milliseconds(1000)));
    const PluginFunction* function = watched.load();
    const Clock::rep seen = begun.load();
    if (function == nullptr || age() < limit() + limit() / 4) continue;
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
  ::pthread_create(&thread, &attributes, watch_in_vain_of_alarms, nullptr);
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
  handle_alarms();
  set_timer(limit());
  return true;
}

}  // namespace

LifeCycleCall::LifeCycleCall(const PluginFunction& function)
    : watches_(watch(function)), scope_(function) {}

LifeCycleCall::~LifeCycleCall() {
  if (!watches_) return;
  watched.store(nullptr);
  set_timer(milliseconds(0));
}

void LifeCycleCall::begin_exit() noexcept { static_cast<void>(watch(kSomePlugin)); }

void LifeCycleCall::set_limit(milliseconds limit) { limit_in_milliseconds.store(limit.count()); }

}  // namespace berth::host
