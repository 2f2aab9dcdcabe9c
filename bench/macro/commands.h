#pragma once

// The subcommands of berth-bench. Each function adds one to the program. When the user runs the
// subcommand, it sets `status` to the exit status.

#include <CLI/CLI.hpp>
#include <string>

namespace berth::bench {

// Exit statuses in addition to those of all programs (engine/base/program/program.h).
enum ExitStatus : int {
  kWorse = 3,  // compare: a --fail-if condition is met
  kInterrupted =
      130,  // run, sweep: interrupted by the user; the report covers the work done until then
};

// `line` is the command line, for the results.
void add_run(CLI::App& app, const std::string& line, int& status);
void add_sweep_command(CLI::App& app, const std::string& line, int& status);
void add_merge(CLI::App& app, const std::string& line, int& status);
void add_list(CLI::App& app, int& status);
void add_compare(CLI::App& app, int& status);

}  // namespace berth::bench
