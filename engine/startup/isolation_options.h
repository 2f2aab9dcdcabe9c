#pragma once

// The options --isolate, --isolation-skip, --isolation-allow and --isolation-deadline: which
// plugins run in processes of their own, and how.

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/runtime/assembly.h"

namespace berth::startup {

struct IsolationOptions {
  std::vector<std::string> plugins;  // names, or "all"
  std::vector<std::string> skipped;  // those that are skipped when their process fails
  std::vector<std::string> allowed;  // NAME=files, NAME=network
  int deadline = 5000;               // milliseconds
  // The options refer to this object, which must live as long as the command.
  void add_to(CLI::App& command);
  // Throws Error if a call of an isolated plugin may take as long as would end the run.
  void check_deadline(int plugin_timeout_seconds) const;
  // How plugins are loaded; null if none is isolated. `prefix`: of the installation that the
  // program belongs to; `from`: of plugins that are not isolated. Throws Error if an option names a
  // plugin that was not found, or, but for
  // --isolate, one that is not isolated.
  runtime::Plugins::Load loader(const host::Discovery& discovery,
                                const std::filesystem::path& prefix, host::LoadFrom from) const;
};

}  // namespace berth::startup
