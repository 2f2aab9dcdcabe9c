#pragma once

// Notices that a plugin called fork() and that the copy of the process came back to the host. Two
// processes would go on with one run and write its results twice. A copy that starts another
// program, or that ends inside of the plugin, does no harm and is not noticed.

#include <sys/types.h>

#include <cstdint>

namespace berth::host {

struct PluginFunction;

namespace process_copy {
inline constexpr uint8_t kOriginal = 1;
// Points to a byte that the system sets to 0 in a copy.
inline constinit const volatile uint8_t* mark = &kOriginal;
}  // namespace process_copy

// From now on the calling process is no copy: at the start, and in a child that the host itself
// forked. Without effect where the system lacks MADV_WIPEONFORK.
void note_original_process();

// The process that the function above was called in last.
pid_t original_process();

inline bool is_copy() { return *process_copy::mark == 0; }

// Ends the copy that `function` made, with a line that names it. The original goes on.
[[noreturn]] void end_copy(const PluginFunction& function);

}  // namespace berth::host
