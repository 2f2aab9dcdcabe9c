#pragma once

// The parts of an HTML page about two runs that needs no network.

#include <string>
#include <string_view>
#include <vector>

#include "cli/diff/difference_rows.h"

namespace berth::cli {

// Text from outside: safe to show, and never markup.
std::string safe_text(std::string_view text);

// The page up to its heading.
std::string page_head(std::string_view program, std::string_view title);
inline constexpr std::string_view kPageEnd = "</body>\n</html>\n";

// Adds a table of a value of each run, whose names are `sides`. No rows: none.
void side_table(std::string& page, std::string_view title, const PerSide<std::string_view>& sides,
                const std::vector<SideRow>& rows);

}  // namespace berth::cli
