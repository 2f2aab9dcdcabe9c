#pragma once

// The pods of workloads, counted anew from the model.

#include <cstdint>
#include <string>

#include "engine/runtime/core.h"

namespace berth::simulation {

// The name of the pod's workload; empty: it has none.
std::string workload_of(const model::Cluster& cluster, const model::PodRecord& pod);

enum class Health : uint8_t {
  kUnhealthy,  // it terminates, has no node, or its node's kubelet is known to be silent
  kDoubtful,   // its node says that it is not ready: a moment later or earlier the pod is, too
  kHealthy,
};
Health health_of(const model::Cluster& cluster, const model::PodRecord& pod);

struct PodCount {
  int64_t pods = 0;    // that are there
  int64_t active = 0;  // that do not terminate
  // The same as controllers see it: of a pod whose binding is under way they hear when it ends.
  int64_t seen_active = 0;
  int64_t healthy = 0;  // at most: with those in doubt
};
// `but`: a pod that counts as gone.
PodCount count_pods(const runtime::Core& core, const std::string& workload, model::PodId but = {});

}  // namespace berth::simulation
