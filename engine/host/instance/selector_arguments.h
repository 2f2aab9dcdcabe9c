#pragma once

// Node and label selectors in the arguments of a plugin, read as strictly as the rest of a
// configuration.

#include <optional>

#include "engine/host/instance/config_tree.h"
#include "engine/model/objects/objects.h"

namespace berth::host {

// A v1.NodeSelector, one v1.NodeSelectorTerm, or a metav1.LabelSelector. A member that is of the
// wrong kind or that nobody knows is reported to the tree, and then nothing is returned. Whether
// the selector makes sense is for the model to say. The node is accepted. Requires: tree.has(node).
std::optional<model::NodeSelector> read_node_selector(ConfigTree& tree, uint32_t node);
std::optional<model::NodeSelectorTerm> read_node_selector_term(ConfigTree& tree, uint32_t node);
std::optional<model::LabelSelector> read_label_selector(ConfigTree& tree, uint32_t node);

}  // namespace berth::host
