#pragma once

// Tables of results for terminals.

#include <string>
#include <vector>

namespace berth::bench {

using TableRow = std::vector<std::string>;

// A line for each row. The first column is flush left, the others are flush right. Requires:
// printable texts; rows of equal length.
std::string table_text(const std::vector<TableRow>& rows);

}  // namespace berth::bench
