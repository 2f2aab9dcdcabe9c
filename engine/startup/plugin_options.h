#pragma once

// The options --plugins and --no-default-plugins: where a program that schedules looks for plugins;
// --debug-plugins and --check-plugins: how it loads and calls them; and those of
// isolation_options.h.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "engine/runtime/assembly.h"
#include "engine/startup/isolation_options.h"

namespace berth::startup {

struct PluginOptions {
  std::vector<std::string> lists;  // of folders: plugin_folders.h
  bool with_defaults = true;       // the folder of the user, and the one that comes with berth
  host::LoadFrom load_from = host::LoadFrom::kSealedCopy;
  bool guard_columns = false;  // as CoreOptions has it
  IsolationOptions isolation = {};
  // The options refer to this object, which must live as long as the command. `loads`: the command
  // loads plugins, so it also has the options of isolation.
  void add_to(CLI::App& command, bool loads = true);
  // For commands that call plugins: --debug-plugins and --check-plugins.
  void add_debugging_to(CLI::App& command);
  // Looks through the folders, and with `of_cases` also through that of the plugins of conformance
  // cases, if there is one. Prints files and folders that cannot be used on stderr; throws Error if
  // such a folder is one of `lists`, or if no plugin is left.
  runtime::Plugins discover(bool of_cases = false) const;
};

}  // namespace berth::startup
