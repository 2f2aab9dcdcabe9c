#pragma once

// How the plugin Chaos asks the simulation what to answer. The plugin's argument "faults" is the
// address of a Faults, as a number; it outlives the plugin. Plain C, since the plugin is another
// binary.

#include <cstdint>

namespace berth::simulation {

enum class FaultPoint : uint32_t { kPreFilter, kReserve, kPermit, kPreBind, kBind };

struct Faults {
  void* self;
  // A BERTH_ code for the pod of that name at that point. `timeout`: nanoseconds, of a WAIT.
  uint8_t (*answer)(void* self, FaultPoint point, const char* pod, uint32_t length,
                    int64_t* timeout);
};

}  // namespace berth::simulation
