#pragma once

// The common part of all programs: parsing of the command line, and exit statuses.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace berth {

// Exit statuses, as kubectl's: all well, something failed, the command line is wrong.
inline constexpr int kOk = 0;
inline constexpr int kFailed = 1;
inline constexpr int kUsage = 2;
// The status of a program that SIGINT or SIGTERM ended, as shells count it.
inline constexpr int kInterrupted = 130;

// Adds the commands `completion` and `manual`, and the option --version. Parses the arguments,
// which runs a command's callback, and prints errors to stderr after the name of the program or
// command. Returns the exit status: the value that the command left in `status`; kUsage for a wrong
// command line, also if the command threw a UsageError; kFailed if it threw another exception, or
// if standard output could not be written. Requires: `app` has its name and its commands.
//
// `elsewhere`: what may be meant by a command that the program does not have: programs beside it,
// and their commands, such as "berth-bench sweep".
int run_program(CLI::App& app, int argc, char** argv, const int& status,
                const std::vector<std::string>& elsewhere = {});

}  // namespace berth
