#pragma once

// Pods of kube-scheduler's own benchmark that have rules about other pods, named after its test
// cases (test/integration/scheduler_perf, v1.34).

#include <cstdint>
#include <string_view>

#include "engine/runtime/core.h"

namespace berth::bench {

enum class Load : uint8_t {
  kPlain,  // no rules about other pods
  kTopologySpreading,
  kPreferredTopologySpreading,
  kDefaultTopologySpreading,
  kPodAntiAffinity,
  kPodAffinity,
  kPreferredPodAffinity,
  kPreferredPodAntiAffinity,
  kRequiredPodAntiAffinityWithNSSelector,
};

// Adds the namespaces and Services that a load's pods need.
void prepare(Load load, uint32_t groups, model::Cluster& cluster);
// The zone label of the i-th node; empty: nodes have none.
std::string_view zone_of(Load load, uint32_t node);
// The i-th pod of a load. The rules of a pod match exactly the pods of its group.
model::Pod pod_of(Load load, uint32_t number, uint32_t groups);

}  // namespace berth::bench
