#pragma once

// The option --log-level: which messages of plugins are printed on standard error.

#include <CLI/CLI.hpp>

namespace berth::startup {

// The option takes effect while the command line is read, which is before instances of plugins are
// made: these see the level in the log service.
void add_log_level(CLI::App& command);

}  // namespace berth::startup
