#pragma once

// Options of `berth run` that other commands have as well: which input is taken, and how.

#include <CLI/CLI.hpp>
#include <string>

#include "cli/run/run_options.h"

namespace berth::cli {

// The options refer to `options`, which outlives the parsing of the command line.
//
// FILE, --cluster and --pods.
void add_input_options(CLI::App& command, RunOptions& options);
// Throws CLI::ValidationError unless the input is given in one of two ways. `command`: for the
// message, "berth run".
void check_inputs(const RunOptions& options, const std::string& command);
// --admission and what belongs to it, --log-level, --strict.
void add_admission_options(CLI::App& command, RunOptions& options);
void add_thread_option(CLI::App& command, RunOptions& options);
// --play-on and how long a pod stays unschedulable.
void add_wait_options(CLI::App& command, RunOptions& options);

}  // namespace berth::cli
