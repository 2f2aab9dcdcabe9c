#pragma once

// The numbers from which a generated pod's name is made. They are kept instead of the name while
// the pod lives.

#include <cstdint>

namespace berth::loadgen {

enum class PodOf : uint8_t { kTemplate, kJob, kOwner };

struct PodIdentity {
  uint64_t number = 0;  // of the pod; within its Job or owner if it has one
  uint64_t job = 0;
  uint32_t of = 0;  // index of the template or owner
  uint32_t namespace_number = 0;
  PodOf kind = PodOf::kTemplate;
  bool finishes = false;  // completes at the end of its lifetime instead of being deleted
};

}  // namespace berth::loadgen
