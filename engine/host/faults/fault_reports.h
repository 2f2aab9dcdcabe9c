#pragma once

// Reports of plugins that end the process, which no check can prevent inside of one process: one
// line on standard error with the plugin, the function, the pod and the file.
//
// A crash (a signal that means a fault of code, SIGABRT by std::terminate and an overflow of the
// stack included): after the line the signal does what it did before, so that the process dies of
// it, with a core dump where these are enabled; a shell shows the status 128 + the signal's number.
// A crash outside of plugins names the plugin that the thread was in last, if there is one, since
// that may have broken what failed.
//
// A call of exit, _exit, _Exit or quick_exit (ended_by_plugin.h): after the line the process ends
// with status 70, instead of with the plugin's status. The program has to export these functions
// (EXPORTS of berth_executable), so that plugins are bound to them.
//
// Not noticed are a plugin that makes the system call itself, replaces the process or its thread,
// closes standard error, blocks or replaces the signals before it crashes, or overflows the stack
// of a thread of its own; and these calls under sanitizers. What it does to a process of its own
// costs one pod (isolation/parent/isolation.h).
//
// Bindings are written in whole lines or frames, and what was written stays. Temporary files are
// removed.

#include <cstddef>
#include <span>

namespace berth::host {

// The exit status if a plugin ends the process, or has to be ended with it.
inline constexpr int kEndedByPlugin = 70;  // EX_SOFTWARE

// To be called once, before any code of a plugin runs, on the main thread. Replaces the handlers of
// the signals above.
void report_faults();

// The memory in which plugins see columns and that they cannot write to; empty: there is none. The
// line about a fault there says that the plugin wrote to a column.
void note_columns(std::span<const std::byte> memory);

// Gives the calling thread a stack for the handlers, which an overflow of its own stack needs.
// report_faults() does so for its thread, and every other thread that calls plugins should.
// Without effect the second time.
void use_fault_stack();

}  // namespace berth::host
