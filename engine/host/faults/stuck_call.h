#pragma once

// Ends the process because a function of a plugin does not return: a thread inside of a plugin
// cannot be stopped. The line on standard error names the plugin, the function and the file; the
// exit status is kEndedByPlugin. Temporary files are removed, destructors do not run, because the
// stuck thread may hold any lock. The function has not returned for `limit`. Any thread.

#include <chrono>

#include "engine/host/faults/in_plugin.h"

namespace berth::host {

[[noreturn]] void end_stuck(const PluginFunction& function, std::chrono::milliseconds limit);

}  // namespace berth::host
