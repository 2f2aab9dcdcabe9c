#pragma once

#include <functional>
#include <string_view>

#include "engine/config/read/decode.h"
#include "engine/config/read/faults.h"

namespace berth::config {

// Checks a configuration whose defaults are filled in, by kube-scheduler's rules (v1.34.1
// and v1.36.2, pkg/scheduler/apis/config/validation), and adds each error to `faults`. `root`: the
// document that it was read from, for the places of errors.
void validate(const Decoded& decoded, document::Value root, Faults& faults);

// The same for leader election alone. `at` gives the place of a field of it, such as "retryPeriod".
// Nothing is wrong while leader election is switched off.
void validate_leader_election(const LeaderElection& election,
                              const std::function<Place(std::string_view)>& at, Faults& faults);

}  // namespace berth::config
