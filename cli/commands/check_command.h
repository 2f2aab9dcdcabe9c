#pragma once

#include "engine/base/program/program.h"

namespace berth::cli {

// Adds `check` to the command `plugin`, as the functions of command.h do.
void add_plugin_check(CLI::App& plugin, int& status);

}  // namespace berth::cli
