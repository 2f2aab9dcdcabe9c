#pragma once

// The option --plugins: where a program that schedules looks for plugins.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "engine/runtime/assembly.h"

namespace berth::startup {

struct PluginOptions {
  std::vector<std::string> folders;  // empty: the folder that comes with the program
  void add_to(CLI::App& command);
  // Looks through the folders, and with `of_cases` also through that of the plugins of conformance
  // cases. Prints files that cannot be used on stderr; throws Error if no plugin is left.
  runtime::Plugins discover(bool of_cases = false) const;
};

}  // namespace berth::startup
