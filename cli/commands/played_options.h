#pragma once

// The options of a run that are about the controllers that it plays.

#include "cli/commands/command.h"
#include "cli/run/run_options.h"

namespace berth::cli {

// `options` outlives the command.
void add_played_options(CLI::App& command, RunOptions& options);

}  // namespace berth::cli
