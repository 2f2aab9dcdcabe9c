#pragma once

// The options of a command line that a journal keeps, and the command line that they make again.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/replay/journal/journal_settings.h"

namespace berth::cli {

// Those of `berth run` that were given, but for outputs and for what changes no decision: threads,
// evaluations and checks.
std::vector<JournalOption> given_options(const CLI::App& command);
// Puts options into the place of those of the same name.
void replace_options(std::vector<JournalOption>& options, const std::vector<JournalOption>& by);
// Parses them as the command line of a command. Throws CLI::ParseError, and what options throw.
void parse_options(CLI::App& command, const std::vector<JournalOption>& options);

}  // namespace berth::cli
