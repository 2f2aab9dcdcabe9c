#pragma once

// The event that tells of a new leader.

#include <cstdint>
#include <string>

#include "engine/kube/lease/lease_object.h"
#include "engine/kube/lease/lease_options.h"

namespace berth::kube {

// "IDENTITY became leader": an Event of v1 on the Lease, as JSON for a POST. `wall`: Loop::wall.
std::string became_leader_event(const LeaseObject& lease, const LeaseOptions& options,
                                int64_t wall);

}  // namespace berth::kube
