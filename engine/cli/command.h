#pragma once

// The commands of `berth`, each with its options. `add` registers one with the parser; its callback
// runs it and leaves the exit status in `status`.

#include <CLI/CLI.hpp>

namespace berth::cli {

// Exit statuses, as kubectl's: 0 all well, 1 something failed, 2 the command line is wrong.
inline constexpr int kOk = 0;
inline constexpr int kFailed = 1;
inline constexpr int kUsage = 2;
inline constexpr int kInterrupted = 130;  // by SIGINT or SIGTERM, as shells count it

void add_run(CLI::App& app, int& status);
void add_explain(CLI::App& app, int& status);
void add_evaluate(CLI::App& app, int& status);
void add_conformance(CLI::App& app, int& status);
void add_plugin(CLI::App& app, int& status);
void add_version(CLI::App& app, int& status);

}  // namespace berth::cli
