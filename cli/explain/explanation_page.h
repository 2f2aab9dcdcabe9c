#pragma once

// An explanation as HTML: a page of its own, or a part of another one.

#include <string>
#include <vector>

#include "engine/explain/explanation.h"

namespace berth::cli {

// One HTML page that needs no network, with all that the JSON of the explanation has. `notes`: what
// there is to know about the input.
std::string to_page(const explain::Explanation& explanation, const std::vector<std::string>& notes);

// The same without a heading and without the list of all nodes: the best nodes, and the closest
// ones of each group of equal refusals.
void explanation_part(std::string& page, const explain::Explanation& explanation);

// The answer in a few words: "default/p goes to node n1".
std::string explanation_title(const explain::Explanation& explanation);

}  // namespace berth::cli
