#pragma once

// The feature gates of the program kube-scheduler, as tables. Internal to this folder.

#include <span>
#include <string_view>

#include "engine/config/gates/known_gates.h"

namespace berth::config {

// Gates with the same default. Names are separated by blanks and line ends.
struct GatesAlike {
  KnownGate gate;
  std::string_view names;
};

struct GateTable {
  std::span<const GatesAlike> known;
  std::string_view read;  // names of those that the scheduler or a default plugin reads
};

// Sources: pkg/features, and those of apiserver, apiextensions-apiserver, controller-manager,
// client-go, component-base/{logs,metrics,zpages}; for `read` pkg/scheduler, plugins/feature.
extern const GateTable kGates1_34, kGates1_36;

}  // namespace berth::config
