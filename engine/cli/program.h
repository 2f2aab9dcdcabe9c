#pragma once

// What the programs have in common: their command line, and how they end.

#include <CLI/CLI.hpp>

namespace berth::cli {

// Parses the arguments, which runs a command, and says what went wrong on stderr. The exit status:
// what the command set `status` to; kUsage for a wrong command line; kFailed if the command threw,
// or if standard output could not be written. `app` has its name and its commands.
int run_program(CLI::App& app, int argc, char** argv, const int& status);

}  // namespace berth::cli
