#pragma once

// Part of a page: how two settings score the nodes between which they differ.

#include <string>
#include <string_view>
#include <vector>

#include "cli/diff/difference.h"

namespace berth::cli {

// A table of the nodes in each of the settings, or once if both score them alike; nothing without
// scores. `sides`: words for the settings, such as "in A".
void scores_part(std::string& page, const PerSide<std::vector<output::NodeScores>>& scores,
                 const PerSide<std::string_view>& sides);

}  // namespace berth::cli
