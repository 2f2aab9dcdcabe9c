#pragma once

// Plays an input, and again with a script of changes.

#include <optional>

#include "cli/run/run_options.h"
#include "cli/what_if/outcome.h"
#include "cli/what_if/script.h"
#include "engine/config/config.h"
#include "engine/runtime/assembly.h"

namespace berth::cli {

// Settings of a run.
struct WhatIfSettings {
  config::Configuration configuration;
  runtime::Plugins plugins;
};

// `other`: of the second run, if they are others. The virtual clock counts, whose input is read
// twice. Throws Error, and Interrupted in the first run; if the second is interrupted, the answer
// is partial.
WhatIf what_if(const RunOptions& options, WhatIfSettings settings,
               std::optional<WhatIfSettings> other, const Script& script);

}  // namespace berth::cli
