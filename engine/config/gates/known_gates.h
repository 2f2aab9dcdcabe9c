#pragma once

// The gates of the program kube-scheduler, by version. Internal to this module.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/rules/kube_version.h"

namespace berth::config {

struct KnownGate {
  bool enabled = false;  // by default
  bool locked = false;   // cannot be set to another value
};

// Nothing for a name that kube-scheduler does not know.
std::optional<KnownGate> known_gate(std::string_view name, KubeVersion version);

// True if kube-scheduler itself, or a default plugin, reads the gate. All other gates are of other
// programs that share their table with it.
bool is_read_by_scheduler(std::string_view name, KubeVersion version);

// All names, for suggestions.
std::vector<std::string> known_gate_names(KubeVersion version);

}  // namespace berth::config
