#pragma once

#include <vector>

#include "engine/base/error.h"
#include "engine/config/config.h"
#include "engine/config/read/faults.h"

namespace berth::config {

// Checks a configuration against its gates: a gate that is off forbids the arguments that it
// brings, and a gate that brings arguments needs a configuration of v1. `root`: of the file, absent
// for defaults().
void validate_gates(const Configuration& configuration, document::Value root, Faults& faults);

// Sets the arguments that a gate brings, in each profile that enables their plugin, where the
// profile leaves them out or empty. A plugin sees such an argument exactly if the gate is on.
// Precondition: validate_gates() found no fault.
void add_gated_arguments(Configuration& configuration);

}  // namespace berth::config
