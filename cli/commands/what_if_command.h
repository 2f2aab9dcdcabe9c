#pragma once

// `berth run --what-if`: the options, and the run of them.

#include <CLI/CLI.hpp>
#include <string>

#include "cli/commands/run_setup.h"
#include "engine/output/format_option.h"

namespace berth::cli {

struct WhatIfOptions {
  std::string script;  // empty: it is no what-if
};

// `options` outlives the parsing.
void add_what_if_options(CLI::App& command, WhatIfOptions& options);

// Requires: a script, and RunSetup::check(). Returns the exit status. `record`: the journal that is
// asked for. Throws Error, also where another option has no effect.
int ask_what_if(const WhatIfOptions& options, RunSetup& setup, const std::string& record,
                const output::FormatOption& format);

}  // namespace berth::cli
