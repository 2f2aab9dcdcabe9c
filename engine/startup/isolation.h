#pragma once

// Loads plugins into processes of their own, as a PluginIsolation says.

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/config/isolation/plugin_isolation.h"
#include "engine/runtime/assembly.h"

namespace berth::startup {

// Plugins that were not found, and deadlines that are not shorter than `call_limit`, after which a
// call ends the run. Each fault has the place of the entry.
std::vector<Error> isolation_faults(const config::PluginIsolation& isolation,
                                    const host::Discovery& discovery,
                                    std::chrono::milliseconds call_limit);

// The run's clock. While it stands still, no pause between the starts of a process would end, so
// there is none.
enum class CallClock : uint8_t { kRuns, kStandsStill };

// `prefix`: of the installation that the program belongs to; `from`: of plugins that are not
// isolated; `clock`: of the calls. Throws Error if the installation lacks the program in which
// plugins run.
runtime::Plugins::Load isolated_loader(config::PluginIsolation isolation,
                                       const std::filesystem::path& prefix, host::LoadFrom from,
                                       CallClock clock);

// The first failure of the process of an isolated plugin; empty: there was none.
std::string isolation_failure();

}  // namespace berth::startup
