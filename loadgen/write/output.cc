#include "loadgen/write/output.h"

namespace berth::loadgen {

void LoadOutput::count_cluster(const ingest::ClusterPart& part) {
  counts_.nodes += part.nodes.size();
  counts_.namespaces += part.namespaces.size();
  counts_.selector_owners += part.selector_owners.size();
  counts_.storage += part.storage.size();
  counts_.placed += part.pods.size();
}

}  // namespace berth::loadgen
