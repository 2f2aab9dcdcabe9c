#pragma once

// Why our rules do not choose what a record has, in one state of the cluster.

#include <optional>
#include <string_view>

#include "cli/diff/cause.h"

namespace berth::cli {

// Nothing: no node that exists has the name.
std::optional<model::Row> row_of_node(const model::Cluster& cluster, std::string_view name);

// Compares a decision with the node that the record has; empty: the pod got none there. The scores,
// if both nodes have some, are of the recorded node, then of ours, in both elements.
// Preconditions: the decision is another one; the model was not modified since.
Cause choice_cause(const model::Cluster& cluster, const Asked& ours, std::string_view recorded);

}  // namespace berth::cli
