#pragma once

// The pods of kube-scheduler's own benchmark that look at other pods, by the names of its test
// cases (test/integration/scheduler_perf, v1.34).

#include <cstdint>
#include <string_view>

#include "engine/runtime/core.h"

namespace berth::bench {

enum class Load : uint8_t {
  kPlain,  // look at nobody
  kTopologySpreading,
  kPreferredTopologySpreading,
  kDefaultTopologySpreading,
  kPodAntiAffinity,
  kPodAffinity,
  kPreferredPodAffinity,
  kPreferredPodAntiAffinity,
  kRequiredPodAntiAffinityWithNSSelector,
};

// What pods of a load need besides nodes: namespaces and services.
void prepare(Load load, uint32_t groups, model::Cluster& cluster);
// How the nodes of a load are labelled: the zone of the i-th; empty: they have none.
std::string_view zone_of(Load load, uint32_t node);
// The i-th pod of a load; pods of one group look at each other and at nobody else.
model::Pod pod_of(Load load, uint32_t number, uint32_t groups);

}  // namespace berth::bench
