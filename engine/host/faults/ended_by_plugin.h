#pragma once

// The functions that end the process, as plugins and the host itself call them, where the program
// exports them: exit, _exit, _Exit and quick_exit, and those that put another program in its place
// (exec_by_plugin.cc). Called by a plugin they end the process with a message; called by others,
// and in a copy of the process that a plugin made to start a program, they do what the C library's
// do; exit and quick_exit would run what the original registered, and end a copy with a message
// too.

#include <optional>
#include <string_view>

#include "engine/host/faults/in_plugin.h"

namespace berth::host {

// Makes the linker take the functions into the program.
void link_exit_functions();
void link_exec_functions();

// Null: neither the calling thread nor the code at `caller` is in a plugin.
const PluginFunction* plugin_that_calls(const void* caller);

// Ends the process: `function` called what may not be called. Allocates nothing. `status`: the
// argument of functions that have it.
[[noreturn]] void end_for_call(const PluginFunction& function, std::string_view called,
                               std::optional<int> status = {});

// Ends the process: `function` ended the thread that called it (pthread_exit, a cancellation).
[[noreturn]] void end_for_ended_thread(const PluginFunction& function);

}  // namespace berth::host
