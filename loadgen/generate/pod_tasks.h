#pragma once

// Work that can need more pods than fit in one step: scaling an owner, the DaemonSet pods of a
// node, a large Job. Such work is a task, which later steps continue.

#include <cstdint>
#include <deque>

#include "loadgen/generate/arrivals/job_pods.h"
#include "loadgen/generate/owners/daemon_sets.h"
#include "loadgen/generate/owners/owned_pods.h"
#include "loadgen/generate/pods/pod_writer.h"
#include "loadgen/play/load.h"

namespace berth::loadgen {

// Tasks run one after the other, in the order in which they were added. One thread.
class PodTasks {
 public:
  // All must outlive this.
  PodTasks(PodWriter& writer, OwnedPods& owned, DaemonSets& daemon_sets, JobPods& jobs)
      : writer_(writer), owned_(owned), daemon_sets_(daemon_sets), jobs_(jobs) {}

  // Add the next pods of an owner; of a DaemonSet, given by its index, on the first `nodes` nodes;
  // of all DaemonSets on a node; and of a Job. `measured` is that of the steps with these pods.
  void add_replicas(uint32_t owner, uint64_t pods, bool measured);
  void add_daemons(size_t daemon_set, uint64_t nodes, bool measured);
  void add_daemons_of_node(uint64_t node, bool measured);
  void add_job(ArrivingJob job, bool measured);

  bool empty() const { return tasks_.empty(); }
  // True if a task has pods of this owner, which is no DaemonSet, still to make.
  bool makes_pods_of(uint32_t owner) const;
  // Adds pods to the step of the writer, until no task is left (true), or the step is full or has
  // another value of `measured` than the next task (false).
  bool run(LoadStep& step);

 private:
  enum class Kind : uint8_t { kReplicas, kDaemonSet, kDaemonsOfNode, kJob };
  struct Task {
    Kind kind = Kind::kReplicas;
    bool measured = false;
    uint64_t of = 0;            // number of the owner, DaemonSet or node
    uint64_t from = 0, to = 0;  // what remains: pods, nodes or DaemonSets, by number
    ArrivingJob job = {};
  };

  bool run(Task& task);
  void add_pod(const Task& task);

  PodWriter& writer_;
  OwnedPods& owned_;
  DaemonSets& daemon_sets_;
  JobPods& jobs_;
  std::deque<Task> tasks_;
};

}  // namespace berth::loadgen
