#pragma once

// The option of commands that print a document.

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

namespace berth::cli {

// Adds -o, whose value is "text" or "json". The value outlives the command.
inline std::shared_ptr<std::string> add_format(CLI::App& command) {
  auto format = std::make_shared<std::string>("text");
  command.add_option("-o,--output", *format, "text (the default) or json")
      ->check(CLI::IsMember({"text", "json"}).description(""))
      ->option_text("FORMAT");
  return format;
}

}  // namespace berth::cli
