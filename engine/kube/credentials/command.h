#pragma once

// Runs a program for what it prints. Internal to this module.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/time.h"

namespace berth::kube {

struct Command {
  std::vector<std::string> words;  // the program, a path or a name to look for in $PATH; arguments
  std::vector<std::pair<std::string, std::string>> env;  // replaces that of this process, or adds
  bool stdin_passed = false;  // else it reads nothing, and a signal of the terminal spares it
  Time limit{};               // of its run; then it is killed
  size_t most_output = 0;     // bytes; more ends it
};

// There is no such program.
struct MissingCommand {};

// The text that the program prints on standard output. No shell is involved; standard error is that
// of this process. Returns once the program has ended, even if what it has started still runs.
// `stop`: a descriptor that becomes readable when the caller no longer wants the output; -1: none.
// Throws MissingCommand, or Error if it cannot be run, exceeds a limit, is stopped, or ends with
// another status than 0. Any thread.
std::string output_of(const Command& command, int stop = -1);

}  // namespace berth::kube
