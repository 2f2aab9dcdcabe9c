#include "loadgen/output.h"

namespace berth::loadgen {

void LoadOutput::count_cluster(const ingest::ClusterPart& part) {
  counts_.nodes += part.nodes.size();
  counts_.namespaces += part.namespaces.size();
  counts_.pod_sets += part.pod_sets.size();
  counts_.placed += part.pods.size();
}

}  // namespace berth::loadgen
