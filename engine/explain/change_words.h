#pragma once

#include <string>

#include "engine/framework/decision/node_change.h"

namespace berth::explain {

// A change of a node, as one would say what is to be done: "500m more allocatable cpu". What has to
// match is said by the pod that asks for it.
std::string words(const model::Cluster& cluster, const model::Catalog& catalog,
                  const model::PodRecord& pod, model::Row row, const framework::NodeChange& change);

}  // namespace berth::explain
