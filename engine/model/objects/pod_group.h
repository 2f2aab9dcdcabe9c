#pragma once

#include <cstdint>
#include <string>

namespace berth::model {

// A group of pods (scheduling.x-k8s.io/v1alpha1) that run together or not at all.
struct PodGroup {
  std::string namespace_name, name;
  int64_t min_member = 0;
  int64_t created_at = 0;       // nanoseconds since 1970; 0: not known
  int64_t timeout_seconds = 0;  // spec.scheduleTimeoutSeconds; 0: not set
  bool operator==(const PodGroup&) const = default;
};

}  // namespace berth::model
