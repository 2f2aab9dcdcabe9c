#pragma once

// The pods that run when the load begins.

#include <cstdint>
#include <string>

#include "loadgen/generate/cluster/generated_cluster.h"
#include "loadgen/play/load.h"

namespace berth::loadgen {

// One thread.
class PlacedPods {
 public:
  explicit PlacedPods(GeneratedCluster& cluster) : cluster_(cluster) {}  // must outlive this

  // The number of those that were made so far.
  uint64_t count() const { return count_; }
  // Adds the pods of a node to the step's cluster: as many as were drawn, or as many as fit on it.
  void add(uint64_t node, LoadStep& step);

 private:
  // The next pod, not yet on a node.
  struct Drawn {
    ingest::TemplatePod pod;  // name and spec
    uint32_t pod_template = 0, variant = 0;
    uint64_t bits = 0;
    bool claims = false;
  };
  Drawn draw(uint32_t placed) const;
  void place(Drawn next, const std::string& node_name, uint64_t node, LoadStep& step);

  GeneratedCluster& cluster_;
  uint64_t count_ = 0;
};

}  // namespace berth::loadgen
