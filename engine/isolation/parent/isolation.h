#pragma once

// Plugins that run in processes of their own.
//
// Such a plugin's code is never loaded into the engine. A process of the program berth-plugin-host
// loads it, restricted as child/lockdown.h says, and the engine gets tables of functions that pass
// each call on through shared memory (channel/lane.h). The rest of the engine calls and checks them
// like those of any plugin. The columns of the cluster are mapped into the process, read-only.
//
// A call fails with BERTH_ERROR, and costs the pod, if the process ends or sends garbage during the
// call, or if it does not answer in time; the process is then ended. The next call starts a new one
// and makes there what it needs: the instance, with the answers of services that `init` got, and
// each template state, with those that its `prepare` got. What else the plugin kept in memory is
// lost. If the process cannot be started again kMostStarts times in a row, the engine ends with an
// error. A process that wants more memory than it may have is ended like one that crashes. One that
// ends again and again is started after pauses of the run's clock (restart_pace.h); calls fail
// meanwhile.

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "engine/host/loading/library.h"

namespace berth::isolation {

enum class OnFailure : uint8_t {
  kPod,   // the call fails, and the pod that it is about with it
  kSkip,  // PreFilter, Filter, PreScore, Score: as if the plugin were not enabled; else as kPod
};

struct Options {
  std::filesystem::path program = {};  // berth-plugin-host
  OnFailure on_failure = OnFailure::kPod;
  bool files = false;    // the plugin may open files
  bool network = false;  // the plugin may use sockets
  // Bytes of memory that the process may write to and that it does not share: what it allocates,
  // and the stacks of its threads. Address space counts, used or not. 0: no limit.
  uint64_t memory = 0;
  // A call that takes longer fails. Shorter than the watchdog's limit (host::WatchdogOptions).
  std::chrono::milliseconds deadline = std::chrono::seconds(5);
  // Also a process that ends again and again is started by the next call: the clock stands still.
  bool starts_at_once = false;
  // A process that takes longer to load the plugin has failed.
  std::chrono::milliseconds start_deadline = std::chrono::seconds(10);
};

inline constexpr int kMostStarts = 3;

// Number of messages with calls that went to plugins' processes so far. Calls that are asked
// together (host/calls/together.h) go to a process as one message. Any thread.
uint64_t messages_sent();

// The first failure of a plugin's process in a call of this process, with the place of that call;
// empty: there was none. Any thread.
std::string first_failure();

// Starts a process that loads the plugin. Throws Error with the plugin's path as its place if that
// fails. The process ends when the library and all instances are gone.
std::shared_ptr<const host::Library> load_isolated(host::SealedFile file, const Options& options);

}  // namespace berth::isolation
