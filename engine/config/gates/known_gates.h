#pragma once

// The gates of the program kube-scheduler v1.34.1. Internal to this module.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace berth::config {

struct KnownGate {
  bool enabled = false;  // by default
  bool locked = false;   // cannot be set to another value
};

// Nothing for a name that kube-scheduler does not know.
std::optional<KnownGate> known_gate(std::string_view name);

// True if kube-scheduler itself, or a default plugin, reads the gate. All other gates are of other
// programs that share their table with it.
bool is_read_by_scheduler(std::string_view name);

// All names, for suggestions.
std::vector<std::string> known_gate_names();

}  // namespace berth::config
