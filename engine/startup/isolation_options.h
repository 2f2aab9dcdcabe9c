#pragma once

// The options --isolate, --isolation-skip, --isolation-allow, --isolation-deadline and
// --isolation-memory: which plugins run in processes of their own, and how, besides what the file
// of the configuration says (engine/config/isolation).

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/config/isolation/plugin_isolation.h"

namespace berth::startup {

struct IsolationOptions {
  std::vector<std::string> plugins;  // names, or "all"
  std::vector<std::string> skipped;  // those that are skipped when their process fails
  std::vector<std::string> allowed;  // NAME=files, NAME=network
  std::optional<std::chrono::milliseconds> deadline;  // of all isolated plugins
  std::optional<int64_t> memory;                      // bytes, of each isolated plugin; 0: no limit
  // The options refer to this object, which must live as long as the command.
  void add_to(CLI::App& command);
  // Returns the plugins of the file and those of --isolate, which run as the file says if it
  // names them, and by the defaults if not; then each other option wins over the file. Throws Error
  // if another option is about a plugin that is not isolated.
  config::PluginIsolation added_to(config::PluginIsolation file) const;
};

}  // namespace berth::startup
