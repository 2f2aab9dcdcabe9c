#pragma once

// The options --plugins and --no-default-plugins: where a program that schedules looks for plugins;
// --debug-plugins, --check-plugins and --plugin-timeout: how it loads and calls them; and those of
// isolation_options.h.

#include <CLI/CLI.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "engine/config/isolation/plugin_isolation.h"
#include "engine/host/calls/checks/watchdog.h"
#include "engine/runtime/assembly.h"
#include "engine/startup/isolation.h"
#include "engine/startup/isolation_options.h"

namespace berth::startup {

// The option --plugin-timeout: the time after which a call ends the run.
void add_plugin_timeout(CLI::App& command, std::chrono::milliseconds& limit);

// A call that takes longer than a third of the limit fails its pod.
host::WatchdogOptions deadlines_of(std::chrono::milliseconds limit);

struct PluginOptions {
  std::vector<std::string> lists;  // of folders: plugin_folders.h
  bool with_defaults = true;       // the folder of the user, and the one that comes with berth
  host::LoadFrom load_from = host::LoadFrom::kSealedCopy;
  bool guard_columns = false;  // as CoreOptions has it
  IsolationOptions isolation = {};
  CallClock clock = CallClock::kRuns;  // of the command
  // After this a call ends the run, so calls of isolated plugins must have shorter deadlines.
  std::chrono::milliseconds call_limit = host::WatchdogOptions{}.limit;
  // The options refer to this object, which must live as long as the command. `loads`: the command
  // loads plugins, so it also has --plugin-timeout and the options of isolation.
  void add_to(CLI::App& command, bool loads = true);
  // For commands that call plugins: --debug-plugins and --check-plugins.
  void add_debugging_to(CLI::App& command);
  host::WatchdogOptions deadlines() const { return deadlines_of(call_limit); }
  // Looks through the folders, and with `of_cases` also through that of the plugins of conformance
  // cases, if there is one. Plugins run in processes of their own as `isolated`, that of the
  // configuration, and the options say. Prints files and folders that cannot be used on stderr;
  // throws Error if such a folder is one of `lists`, if no plugin is left, or for options about
  // plugins that are not isolated; and InvalidConfiguration for faults of isolation_faults().
  // From now on `call_limit` is that of functions of the life cycle, too.
  runtime::Plugins discover(const config::PluginIsolation& isolated = {},
                            bool of_cases = false) const;
};

}  // namespace berth::startup
