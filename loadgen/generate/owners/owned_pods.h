#pragma once

// The pods of owners other than DaemonSets. An owner scales down by its newest pods.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "loadgen/generate/cluster/generated_cluster.h"
#include "loadgen/generate/pods/lifetimes.h"
#include "loadgen/generate/pods/pod_writer.h"
#include "loadgen/play/load.h"

namespace berth::loadgen {

// One thread.
class OwnedPods {
 public:
  // All must outlive this.
  OwnedPods(const GeneratedCluster& cluster, PodWriter& writer, Lifetimes& lifetimes);

  // Adds the next pod of an owner to the step of the writer.
  void add(uint32_t owner);
  // Deletes the newest pods until `wanted` are left, and returns how many are missing. Requires: no
  // Job owns them.
  size_t scale(uint32_t owner, size_t wanted, LoadStep& step);

 private:
  struct Pods {
    uint32_t template_id = UINT32_MAX;  // UINT32_MAX until the first pod is made
    uint32_t next = 0;                  // number of the next pod, unless of a StatefulSet
    uint32_t claimed = 0;               // StatefulSets: this many pods had claims, which stay
    // Numbers of the pods, newest last; a StatefulSet's are 0, 1 and so on. Empty for Jobs, whose
    // pods end by themselves.
    std::vector<uint32_t> living;
  };

  const GeneratedCluster& cluster_;
  PodWriter& writer_;
  Lifetimes& lifetimes_;
  std::vector<Pods> pods_;  // by owner
  std::string name_;        // scratch space
};

}  // namespace berth::loadgen
