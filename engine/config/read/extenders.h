#pragma once

#include "engine/config/extender.h"
#include "engine/config/read/node.h"

namespace berth::config {

// Reads one entry of `extenders`.
Extender read_extender(const Node& node, Reader& reader, Faults& faults);

// Checks all entries by kube-scheduler's rules (validation.go validateExtenders), and that each URL
// can be called.
void validate_extenders(const std::vector<Extender>& extenders, Places& places, Faults& faults);

}  // namespace berth::config
