#pragma once

// A table of a page about two runs.

#include <string>
#include <string_view>
#include <vector>

#include "cli/diff/difference_rows.h"

namespace berth::cli {

// Adds a table of a value of each run, whose names are `sides`. No rows: none.
void side_table(std::string& page, std::string_view title, const PerSide<std::string_view>& sides,
                const std::vector<SideRow>& rows);

}  // namespace berth::cli
