#include "loadgen/generate/cluster/generated_cluster.h"

namespace berth::loadgen {

GeneratedCluster::GeneratedCluster(const WorkloadSpec& workload, uint64_t load_seed)
    : spec(workload),
      seed(load_seed),
      namespaces(workload.namespaces),
      nodes(workload.cluster, load_seed),
      templates(workload, load_seed),
      claims(workload, load_seed),
      owners(workload, load_seed, namespaces, templates, claims) {}

}  // namespace berth::loadgen
