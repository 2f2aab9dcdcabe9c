#pragma once

// Scripts with which shells complete command lines.

#include <string>
#include <vector>

#include "engine/base/program/command_table.h"

namespace berth {

// Each completes commands, options, values that are one of several words, and files. The script is
// for the shell to read; it calls no program.
std::string bash_completion(const std::string& program, const std::vector<CommandInfo>& table);
std::string zsh_completion(const std::string& program, const std::vector<CommandInfo>& table);
std::string fish_completion(const std::string& program, const std::vector<CommandInfo>& table);

}  // namespace berth
