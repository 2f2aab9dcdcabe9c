#pragma once

// What LimitRanges do to a new pod. Source: the admission plugin LimitRanger. Internal to this
// module.

#include <string>
#include <vector>

#include "engine/ingest/admission/policies.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

// Gives containers the requests and limits that they lack.
void apply_defaults(const LimitRange& range, model::PodSpec& spec);

// What the pod breaks, in the API server's words; each once.
std::vector<std::string> broken_limits(const LimitRange& range, const model::PodSpec& spec);

}  // namespace berth::ingest
