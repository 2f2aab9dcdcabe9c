#pragma once

// Brings a load, or one half of it, to an output.

#include <cstdint>

#include "loadgen/load.h"
#include "loadgen/output.h"

namespace berth::loadgen {

enum class Part : uint8_t {
  kCluster,  // what is there before the first pod arrives and the first event happens
  kPods,     // all that follows
  kAll,
};

// Throws Error if the load or the output does.
void play(Load& load, Part part, LoadOutput& output);

}  // namespace berth::loadgen
