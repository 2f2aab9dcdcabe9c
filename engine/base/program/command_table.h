#pragma once

// A program's commands and options as plain values. Help, manual page and completion are all made
// from the parser of the command line, so none can name an option that another lacks.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace berth {

struct OptionInfo {
  std::vector<std::string> names;  // "--seed", "-v"; empty: positional
  std::string value;               // "random|name", "FILE..."; empty: takes none
  std::string description;
  std::vector<std::string> choices;  // of the value, if it is one of several words
  bool takes_file = false;           // the value is a file or a folder
};

struct CommandInfo {
  std::string name;  // "config validate"; empty: the program itself
  std::string description;
  std::vector<OptionInfo> options;
  std::vector<OptionInfo> positionals;
  std::vector<std::string> commands;  // "validate"; of this command

  // True if a word without a dash may be a file.
  bool takes_files() const;
};

// The program first, then its commands, each before its own.
std::vector<CommandInfo> command_table(const CLI::App& app);

}  // namespace berth
