#include "engine/host/faults/ended_by_plugin.h"

#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "engine/base/io/new_file.h"
#include "engine/base/sanitized.h"
#include "engine/host/faults/fault_line.h"
#include "engine/host/faults/fault_reports.h"
#include "engine/host/faults/loaded_code.h"

namespace berth::host {
namespace {

constinit std::atomic<pid_t> noted = 0;

}  // namespace

void note_process() { noted = ::getpid(); }

}  // namespace berth::host

// The sanitizers' runtimes have functions of these names.
#ifndef BERTH_SANITIZED
namespace berth::host {
namespace {

[[noreturn]] void end_now(int status) {
  for (;;) ::syscall(SYS_exit_group, status);
}

// Ends the process if the code at `caller`, or what the thread runs, is a plugin's. Allocates
// nothing.
void refuse_plugins(std::string_view called, int status, const void* caller) {
  const PluginFunction* function = InPlugin::current();
  if (function == nullptr) function = loaded_code_at(reinterpret_cast<uintptr_t>(caller));
  if (function == nullptr) return;
  FaultLine line;
  line.plugin(*function) << " called " << called << (status < 0 ? "(-" : "(");
  line << static_cast<uint64_t>(std::abs(int64_t{status})) << ")";
  line.place(*function) << "; a plugin may not end the process";
  line.file(*function).write();
  remove_temporary_files();
  end_now(kEndedByPlugin);
}

bool is_original() { return ::getpid() == noted; }

[[noreturn]] void end_by(const char* name, int status) {
  const auto next = reinterpret_cast<void (*)(int)>(::dlsym(RTLD_NEXT, name));
  if (next != nullptr) next(status);
  end_now(status);
}

}  // namespace
}  // namespace berth::host

using berth::host::end_by;
using berth::host::end_now;
using berth::host::is_original;
using berth::host::refuse_plugins;

extern "C" {

void exit(int status) noexcept {
  refuse_plugins("exit", status, __builtin_return_address(0));
  end_by("exit", status);
}

void quick_exit(int status) noexcept {
  refuse_plugins("quick_exit", status, __builtin_return_address(0));
  end_by("quick_exit", status);
}

void _exit(int status) {
  if (is_original()) refuse_plugins("_exit", status, __builtin_return_address(0));
  end_now(status);
}

void _Exit(int status) noexcept {
  if (is_original()) refuse_plugins("_Exit", status, __builtin_return_address(0));
  end_now(status);
}
}
#endif
