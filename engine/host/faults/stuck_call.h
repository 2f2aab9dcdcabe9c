#pragma once

// Ends the process because a function of a plugin does not return: a thread inside of a plugin
// cannot be stopped. The line on standard error names the plugin, the function, the pod and the
// file; the exit status is kEndedByPlugin. Temporary files are removed, destructors do not run,
// because the stuck thread may hold any lock.

#include <atomic>
#include <chrono>
#include <cstdint>

#include "engine/host/faults/in_plugin.h"

namespace berth::host {

// A call on another thread. It goes on as long as `word` has this value.
struct StuckCall {
  const std::atomic<uint64_t>* word;
  uint64_t value;
  PluginFunction function;  // also stands for the plugin's function `release`
  std::chrono::milliseconds limit;
};

// Ends the process on the calling thread, which may be in the handler of a signal. `with_pod`: the
// calling thread is the stuck one, so its pod is named.
[[noreturn]] void end_stuck(const PluginFunction& function, std::chrono::milliseconds limit,
                            bool with_pod);

// Lets the thread that makes the call end the process, since only that thread can name its pod: by
// the signal SIGVTALRM to all threads. If it has not done so after a second, because it blocks the
// signal, the calling thread does, without a pod. Returns if the call has returned meanwhile.
void end_stuck(const StuckCall& call);

// Sets the handler of SIGVTALRM; once.
void handle_stuck_calls();

}  // namespace berth::host
