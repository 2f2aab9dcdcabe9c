#pragma once

// The subcommands of berth-loadgen that do not play a load.

#include <string>
#include <vector>

#include "engine/base/error.h"

namespace berth::loadgen {

void print_faults(const Diagnostics& diagnostics);

void list_presets();
void print_schema();
// All of these throw Error.
void show_preset(const std::string& name);
void check_files(const std::vector<std::string>& files);

}  // namespace berth::loadgen
