#pragma once

// Which feature gates can be set, for programs that take gates from a workload.

#include <string_view>

#include "engine/base/rules/kube_version.h"

namespace berth::config {

// True if set_gates() (feature_gates.h) takes the gate with this value.
bool can_set(std::string_view gate, bool value, KubeVersion version);

}  // namespace berth::config
