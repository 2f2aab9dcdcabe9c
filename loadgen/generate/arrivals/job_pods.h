#pragma once

// The pods of Jobs that arrive. They differ in their labels and controllers, and complete at the
// end of their lifetimes.

#include <cstdint>
#include <string>

#include "engine/model/objects/objects.h"
#include "loadgen/generate/cluster/generated_cluster.h"
#include "loadgen/generate/pods/lifetimes.h"
#include "loadgen/generate/pods/pod_writer.h"

namespace berth::loadgen {

struct ArrivingJob {
  uint64_t number = 0;   // among all Jobs that arrive
  uint64_t pods = 0;     // how many it has
  uint32_t arrival = 0;  // index
  uint32_t pod_template = 0, variant = 0, namespace_number = 0;
  model::Controller controller = {};
};

// One thread.
class JobPods {
 public:
  // All must outlive this.
  JobPods(const GeneratedCluster& cluster, PodWriter& writer, Lifetimes& lifetimes)
      : cluster_(cluster), writer_(writer), lifetimes_(lifetimes) {}

  // Draws the next Job, of `most` pods at most. Requires: `arrival` is one of Jobs.
  ArrivingJob begin(uint32_t arrival, uint64_t most);
  // Adds a pod of a Job to the step of the writer. Requires: number < job.pods.
  void add(const ArrivingJob& job, uint64_t number);

 private:
  const GeneratedCluster& cluster_;
  PodWriter& writer_;
  Lifetimes& lifetimes_;
  uint64_t begun_ = 0;  // Jobs so far
  std::string name_;    // scratch space
};

}  // namespace berth::loadgen
