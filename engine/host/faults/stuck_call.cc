#include "engine/host/faults/stuck_call.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "engine/base/io/new_file.h"
#include "engine/base/mutex.h"
#include "engine/host/faults/fault_line.h"
#include "engine/host/faults/fault_reports.h"

namespace berth::host {
namespace {

constinit std::atomic<const StuckCall*> asked = nullptr;
constinit std::atomic<bool> ending = false;

bool goes_on(const StuckCall& call) {
  return call.word->load(std::memory_order_relaxed) == call.value;
}

// Several threads may be in one hook, for one decision: whichever answers names the same pod.
bool makes(const PluginFunction& running, const StuckCall& call) {
  return running.plugin == call.function.plugin &&
         (running.function == call.function.function || running.function == "release");
}

void on_signal(int) {
  const int before = errno;
  const StuckCall* call = asked.load();
  const PluginFunction* running = InPlugin::current();
  if (call != nullptr && running != nullptr && makes(*running, *call) && goes_on(*call))
    end_stuck(*running, call->limit, true);
  errno = before;
}

void signal_all_threads() {
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", error)) {
    const std::string name = task.path().filename().string();
    pid_t thread = 0;
    std::from_chars(name.data(), name.data() + name.size(), thread);
    ::syscall(SYS_tgkill, ::getpid(), thread, SIGVTALRM);
  }
}

}  // namespace

void end_stuck(const PluginFunction& function, std::chrono::milliseconds limit, bool with_pod) {
  // Of several threads one writes the line, and the others wait for the end.
  while (ending.exchange(true)) ::pause();
  FaultLine line;
  line.plugin(function) << " has not returned from " << function.function;
  if (with_pod) line.pod();
  const auto milliseconds = static_cast<uint64_t>(limit.count());
  line << " for ";
  milliseconds % 1000 == 0 ? line << milliseconds / 1000 << " s" : line << milliseconds << " ms";
  line.file(function) << "; it can only be ended with the process";
  line.write();
  remove_temporary_files();
  for (;;) ::syscall(SYS_exit_group, kEndedByPlugin);
}

void end_stuck(const StuckCall& call) {
  using namespace std::chrono_literals;
  // One that has returned stays in memory, since a handler that comes late may read it.
  static Mutex mutex;
  static auto& all = *new std::vector<std::unique_ptr<const StuckCall>>;
  const MutexLock lock(mutex);
  asked.store(all.emplace_back(std::make_unique<const StuckCall>(call)).get());
  signal_all_threads();
  for (int i = 0; i < 100 && goes_on(call); ++i) std::this_thread::sleep_for(10ms);
  asked.store(nullptr);
  if (goes_on(call)) end_stuck(call.function, call.limit, false);
}

void handle_stuck_calls() {
  static const bool done = [] {
    struct sigaction action = {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGVTALRM, &action, nullptr);
    return true;
  }();
  static_cast<void>(done);
}

}  // namespace berth::host
