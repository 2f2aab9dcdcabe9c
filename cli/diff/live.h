#pragma once

// Compares two settings by two runs of one input. See cause_finder.h.

#include <string>
#include <utility>
#include <vector>

#include "cli/diff/difference.h"
#include "cli/run/run_options.h"
#include "engine/config/config.h"
#include "engine/runtime/assembly.h"

namespace berth::cli {

struct LiveSide {
  RunOptions options;  // of which the input and the seed are read twice
  config::Configuration configuration;
  runtime::Plugins plugins;
  std::vector<std::pair<std::string, std::string>> settings;  // for people
};

// Throws Error, and Interrupted in the run of B, which is the first; if that of A is interrupted,
// the difference is partial.
Difference compare_live(PerSide<LiveSide> sides);

}  // namespace berth::cli
