#pragma once

// The commands of berth-bench. Each adds itself to the program and sets `status`, the exit status,
// when it was run.

#include <CLI/CLI.hpp>
#include <string>

namespace berth::bench {

// Beside those of every program (engine/base/program/program.h).
enum ExitStatus : int {
  kWorse = 3,          // compare: a condition of --fail-if is met
  kInterrupted = 130,  // run: by the user; what was measured until then was reported
};

// `line`: the command as it was typed.
void add_run(CLI::App& app, const std::string& line, int& status);
void add_list(CLI::App& app, int& status);
void add_compare(CLI::App& app, int& status);

}  // namespace berth::bench
