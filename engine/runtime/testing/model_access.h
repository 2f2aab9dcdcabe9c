#pragma once

// For tests and micro benchmarks: the model of a core, to be written past the core's door. They set
// up a cluster without events, or spoil it on purpose. The caller does what Intake would do.

#include "engine/runtime/core.h"

namespace berth::runtime {

struct ModelAccess {
  static model::Cluster& of(Core& core) { return core.cluster_; }
};

}  // namespace berth::runtime
