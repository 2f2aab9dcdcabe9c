#pragma once

// The word that a user meant and mistyped.

#include <string>
#include <string_view>
#include <vector>

namespace berth {

// The candidate nearest to `typed`: the first of those that need the fewest edits (a character
// added, removed or replaced, or two neighbours swapped; a difference of case is none). Empty if
// the nearest needs more edits than a third of the length of `typed`, rounded up.
std::string nearest_word(std::string_view typed, const std::vector<std::string>& candidates);

}  // namespace berth
