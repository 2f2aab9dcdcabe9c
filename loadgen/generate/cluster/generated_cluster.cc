#include "loadgen/generate/cluster/generated_cluster.h"

namespace berth::loadgen {

GeneratedCluster::GeneratedCluster(const WorkloadSpec& workload, uint64_t draws)
    : spec(workload),
      seed(draws),
      namespaces(workload.namespaces),
      nodes(workload.cluster, draws),
      templates(workload, draws),
      claims(workload, draws),
      owners(workload, draws, namespaces, templates, claims) {}

}  // namespace berth::loadgen
