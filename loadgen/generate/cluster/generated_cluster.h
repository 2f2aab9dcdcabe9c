#pragma once

// The state that all sources of pods and changes of a load share: the objects that the workload
// describes, as they are now.

#include <cstdint>

#include "loadgen/generate/cluster/current_nodes.h"
#include "loadgen/generate/cluster/namespaces.h"
#include "loadgen/generate/owners/owners.h"
#include "loadgen/generate/pods/pod_claims.h"
#include "loadgen/generate/pods/pod_templates.h"
#include "loadgen/workload/workload_spec.h"

namespace berth::loadgen {

// One thread. The owners refer to other members, so it stays where it is.
struct GeneratedCluster {
  GeneratedCluster(const WorkloadSpec& workload, uint64_t load_seed);  // the workload outlives this
  GeneratedCluster(const GeneratedCluster&) = delete;
  GeneratedCluster& operator=(const GeneratedCluster&) = delete;

  const WorkloadSpec& spec;
  uint64_t seed;
  Namespaces namespaces;
  CurrentNodes nodes;
  PodTemplates templates;
  PodClaims claims;
  Owners owners;
};

}  // namespace berth::loadgen
