#pragma once

// How the plugin Chaos asks the simulation what to answer, and tells it of pods that it reserved or
// observes. The plugin's argument "faults" is the
// address of a Faults, as a number; it outlives the plugin. Plain C, since the plugin is another
// binary.

#include <cstdint>

namespace berth::simulation {

enum class FaultPoint : uint32_t {
  kPreEnqueue,
  kPreFilter,
  kFilter,
  kPostFilter,
  kPreScore,
  kScore,
  kNormalise,
  kReserve,
  kPermit,
  kPreBind,
  kBind,
  kHints,
};
inline constexpr uint32_t kFaultPoints = 12;

struct FaultText {
  const char* data;
  uint32_t size;
};

enum class Told : uint32_t { kReserved, kUnreserved, kBound, kLeft };

struct Faults {
  void* self;
  // The next answer at Reserve, Permit, PreBind or Bind: a BERTH_ code. Each call draws, and the
  // order of calls is part of the history. `timeout`: nanoseconds, of a WAIT by
  // Permit or PreBind.
  uint8_t (*next)(void* self, FaultPoint point, int64_t* timeout);
  // The answer at any other point: a BERTH_ code. The same question has the same answer until the
  // next decision, however often it is asked, and on any thread. `node` is empty where the question
  // is about none.
  uint8_t (*about)(void* self, FaultPoint point, FaultText pod, FaultText node);
  // A score in 0..100, under the same rules.
  int64_t (*score)(void* self, FaultText pod, FaultText node);
  // What became of a pod, by pod.handle, on its node.
  void (*told)(void* self, Told what, uint64_t pod, FaultText node);
};

}  // namespace berth::simulation
