// The exec functions of ended_by_plugin.h.

#include <dlfcn.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <vector>

#include "engine/base/sanitized.h"
#include "engine/host/faults/ended_by_plugin.h"
#include "engine/host/faults/process_copy.h"

namespace berth::host {

void link_exec_functions() {}

}  // namespace berth::host

// The sanitizers' runtimes have functions of these names.
#ifndef BERTH_SANITIZED
namespace berth::host {
namespace {

// Ends the process if a plugin calls it there. In a child, made by fork or vfork, it may.
void refuse_plugins(const char* called, const void* caller) {
  if (::getpid() != original_process()) return;
  if (const PluginFunction* function = plugin_that_calls(caller)) end_for_call(*function, called);
}

// The C library's function of that name.
template <typename... Parameters>
int call_next(const char* name, Parameters... parameters) {
  const auto next = reinterpret_cast<int (*)(Parameters...)>(::dlsym(RTLD_NEXT, name));
  if (next != nullptr) return next(parameters...);
  errno = ENOSYS;
  return -1;
}

// Arguments up to the null pointer, which is included.
std::vector<char*> listed(const char* first, va_list& rest) {
  std::vector<char*> all;
  for (const char* one = first; one != nullptr; one = va_arg(rest, const char*))
    all.push_back(const_cast<char*>(one));
  all.push_back(nullptr);
  return all;
}

}  // namespace
}  // namespace berth::host

using berth::host::call_next;
using berth::host::listed;
using berth::host::refuse_plugins;

extern "C" {

int execve(const char* path, char* const* arguments, char* const* environment) noexcept {
  refuse_plugins("execve", __builtin_return_address(0));
  return call_next("execve", path, arguments, environment);
}

int fexecve(int file, char* const* arguments, char* const* environment) noexcept {
  refuse_plugins("fexecve", __builtin_return_address(0));
  return call_next("fexecve", file, arguments, environment);
}

int execv(const char* path, char* const* arguments) noexcept {
  refuse_plugins("execv", __builtin_return_address(0));
  return call_next("execv", path, arguments);
}

int execvp(const char* file, char* const* arguments) noexcept {
  refuse_plugins("execvp", __builtin_return_address(0));
  return call_next("execvp", file, arguments);
}

int execvpe(const char* file, char* const* arguments, char* const* environment) noexcept {
  refuse_plugins("execvpe", __builtin_return_address(0));
  return call_next("execvpe", file, arguments, environment);
}

int execl(const char* path, const char* first, ...) noexcept {
  refuse_plugins("execl", __builtin_return_address(0));
  va_list rest;
  va_start(rest, first);
  const std::vector<char*> arguments = listed(first, rest);
  va_end(rest);
  return call_next("execv", path, arguments.data());
}

int execlp(const char* file, const char* first, ...) noexcept {
  refuse_plugins("execlp", __builtin_return_address(0));
  va_list rest;
  va_start(rest, first);
  const std::vector<char*> arguments = listed(first, rest);
  va_end(rest);
  return call_next("execvp", file, arguments.data());
}

int execle(const char* path, const char* first, ...) noexcept {
  refuse_plugins("execle", __builtin_return_address(0));
  va_list rest;
  va_start(rest, first);
  const std::vector<char*> arguments = listed(first, rest);
  char* const* environment = va_arg(rest, char* const*);
  va_end(rest);
  return call_next("execve", path, arguments.data(), environment);
}
}
#endif
