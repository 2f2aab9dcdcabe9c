#pragma once

// Node selectors in the arguments of a plugin, read as strictly as the rest of a configuration.

#include <optional>

#include "engine/host/config_tree.h"
#include "engine/model/objects.h"

namespace berth::host {

// A v1.NodeSelector, or one v1.NodeSelectorTerm. What is wrong in its form (a member of another
// kind, an unknown one, no terms at all) is reported to the tree; then nothing is returned.
std::optional<model::NodeSelector> read_node_selector(ConfigTree& tree, uint32_t node);
std::optional<model::NodeSelectorTerm> read_node_selector_term(ConfigTree& tree, uint32_t node);

}  // namespace berth::host
