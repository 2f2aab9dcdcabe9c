#pragma once

// The subcommands of berth-loadgen that do not play a load: list, schema, show and check. All print
// to standard output.

#include <string>
#include <vector>

#include "engine/output/format_option.h"

namespace berth::loadgen {

void list_presets(const output::FormatOption& format);
void print_schema();
// Throws Error if there is no such preset.
void show_preset(const std::string& name);
// Reads each file and reports its faults. Throws Error if any file has one.
void check_files(const std::vector<std::string>& files);

}  // namespace berth::loadgen
