#pragma once

// The subcommands of berth-loadgen that do not play a load: list, schema, show and check. All print
// to standard output; print_faults prints to standard error.

#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/output/format_option.h"

namespace berth::loadgen {

// Prints each kept diagnostic on a line of standard error, then the number of those not kept.
void print_faults(const Diagnostics& diagnostics);

void list_presets(const output::FormatOption& format);
void print_schema();
// Throws Error if there is no such preset.
void show_preset(const std::string& name);
// Reads each file and reports its faults. Throws Error if any file has one.
void check_files(const std::vector<std::string>& files);

}  // namespace berth::loadgen
