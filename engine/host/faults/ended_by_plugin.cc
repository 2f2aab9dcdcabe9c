#include "engine/host/faults/ended_by_plugin.h"

#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>

#include "engine/base/io/new_file.h"
#include "engine/base/sanitized.h"
#include "engine/host/faults/fault_line.h"
#include "engine/host/faults/fault_reports.h"
#include "engine/host/faults/loaded_code.h"
#include "engine/host/faults/process_copy.h"

namespace berth::host {
namespace {

[[noreturn]] void end_now(int status) {
  for (;;) ::syscall(SYS_exit_group, status);
}

[[noreturn]] void end_after(FaultLine& line, const PluginFunction& function) {
  line.file(function).write();
  remove_temporary_files();
  end_now(kEndedByPlugin);
}

}  // namespace

void link_exit_functions() {}

const PluginFunction* plugin_that_calls(const void* caller) {
  const PluginFunction* function = InPlugin::current();
  return function != nullptr ? function : loaded_code_at(reinterpret_cast<uintptr_t>(caller));
}

void end_for_call(const PluginFunction& function, std::string_view called,
                  std::optional<int> status) {
  FaultLine line;
  line.plugin(function) << " called " << called;
  if (status) {
    line << (*status < 0 ? "(-" : "(") << static_cast<uint64_t>(std::abs(int64_t{*status}));
    line << ")";
  }
  line.place(function) << "; a plugin may not end the process";
  end_after(line, function);
}

void end_for_ended_thread(const PluginFunction& function) {
  FaultLine line;
  line.plugin(function) << " ended the thread of the host in " << function.function;
  line.pod() << " (pthread_exit, or a cancellation)";
  end_after(line, function);
}

}  // namespace berth::host

// The sanitizers' runtimes have functions of these names.
#ifndef BERTH_SANITIZED
namespace berth::host {
namespace {

// Ends the process if the code at `caller`, or what the thread runs, is a plugin's.
void refuse_plugins(std::string_view called, int status, const void* caller) {
  if (const PluginFunction* function = plugin_that_calls(caller))
    end_for_call(*function, called, status);
}

// False in a child that a plugin forked or vforked: it may end without another program.
bool is_original() { return ::getpid() == original_process(); }

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
