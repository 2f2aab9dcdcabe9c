#pragma once

#include <vector>

#include "engine/base/error.h"
#include "engine/config/config.h"
#include "engine/config/read/faults.h"

namespace berth::config {

// Checks a configuration against its rules: a rule that does not hold forbids the arguments that it
// brings, and a gate that brings arguments needs a configuration of v1. `root`: of the file, absent
// for defaults().
void validate_gates(const Configuration& configuration, document::Value root, Faults& faults);

// Sets the arguments that a rule brings, in each profile of a configuration of v1 that enables
// their plugin, where the profile leaves them out or empty. There a plugin sees such an argument
// exactly if the rule holds. Precondition: validate_gates() found no fault.
void add_gated_arguments(Configuration& configuration);

}  // namespace berth::config
