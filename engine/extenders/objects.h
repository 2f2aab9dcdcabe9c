#pragma once

// Objects of the model as extenders get them: whole where they are kept, else with the fields that
// the model holds, which are those that scheduling reads.

#include <string>

#include "engine/extenders/whole_objects.h"

namespace berth::extenders {

// Append the object as JSON.
void append_pod(const model::Cluster& cluster, const WholeObjects& whole,
                const model::PodRecord& pod, std::string& out);
void append_node(const model::Cluster& cluster, const WholeObjects& whole, model::Row row,
                 std::string& out);

}  // namespace berth::extenders
