#pragma once

// Objects of the model as extenders get them: with the fields that the model keeps, which are those
// that scheduling reads.

#include <string>

#include "engine/model/cluster/cluster.h"

namespace berth::extenders {

// Append the object as JSON.
void append_pod(const model::Cluster& cluster, const model::PodRecord& pod, std::string& out);
void append_node(const model::Cluster& cluster, model::Row row, std::string& out);

}  // namespace berth::extenders
