#pragma once

// Reads node and label selectors in the arguments of a plugin, as strictly as the rest of a
// configuration.

#include <optional>

#include "engine/host/instance/config_tree.h"
#include "engine/model/objects/objects.h"

namespace berth::host {

// Read a v1.NodeSelector, a v1.NodeSelectorTerm or a metav1.LabelSelector. Members of the wrong
// kind and unknown members are reported to the tree; then nothing is returned. Operators and values
// are checked by the model, not here. Everything below the node becomes known. Requires
// tree.has(node).
std::optional<model::NodeSelector> read_node_selector(ConfigTree& tree, uint32_t node);
std::optional<model::NodeSelectorTerm> read_node_selector_term(ConfigTree& tree, uint32_t node);
std::optional<model::LabelSelector> read_label_selector(ConfigTree& tree, uint32_t node);

}  // namespace berth::host
