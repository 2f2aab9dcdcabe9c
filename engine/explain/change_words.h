#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/explain/change/node_change.h"

namespace berth::explain {

// Describes a change of a node as an instruction: "500m more allocatable cpu". For a label, it
// quotes the pod's requirement that the label must satisfy.
std::string words(const model::Cluster& cluster, const model::Catalog& catalog,
                  const model::PodRecord& pod, model::Row row, const NodeChange& change);

// An amount as Kubernetes writes it, without loss. `unit`: one of BERTH_UNIT_.
std::string amount_words(int64_t amount, uint32_t unit);

// The amount that the node lacks, in the column's unit; nothing if the column holds no amount.
std::optional<int64_t> missing(const model::Catalog& catalog, const NodeChange& change);

}  // namespace berth::explain
