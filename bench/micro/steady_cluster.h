#pragma once

// A cluster that stays equally full: once the target is reached, each placed pod evicts the oldest
// one. Nodes as in kube-scheduler's benchmark: 4 CPU, 32 GiB, 110 pods, in the zones of the load.
// Pods request 100m and 500 MiB; further templates request slightly different amounts.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/micro/loads.h"
#include "engine/config/config.h"
#include "engine/runtime/core.h"

namespace berth::bench {

struct SteadyOptions {
  uint32_t nodes = 5000;
  uint32_t templates = 1;
  uint32_t pods_per_node = 5;
  Load load = Load::kPlain;
  uint32_t groups = 1;       // of pods whose rules match each other
  uint32_t related = 0;      // pods placed at the same time; 0: pods_per_node times nodes
  uint32_t others = 0;       // additional pods of 10m and 16 MiB that stay and have no rules
  uint32_t most_pods = 110;  // allocatable pods per node
  uint32_t zones = 0;        // 0: those of the load
  // percentageOfNodesToScore; 0: adaptive
  int32_t percentage = 0;
  framework::FullOptions full;

  bool operator==(const SteadyOptions&) const = default;
};

host::Discovery shipped_discovery();  // the plugins of this build
runtime::Plugins shipped_plugins();   // the same

class SteadyCluster {
 public:
  // Throws Error if a plugin cannot be used.
  explicit SteadyCluster(const SteadyOptions& options, runtime::Plugins plugins = shipped_plugins(),
                         config::Configuration configuration = config::defaults());

  // Places the initial pods, equally many on each node. Call it once, before the other functions.
  void fill();
  // Queues the pods of the next kBatch steps if the previous ones are scheduled. This is the work
  // that reading a stream causes on the deciding thread.
  void refill();
  // Schedules the next pod, binds its batch when that is full, and removes the oldest pod.
  void step();

  // The i-th node, as it is at the start.
  model::Node node(uint32_t number) const;

  static constexpr size_t kBatch = 256;

  uint64_t failed() const { return failed_; }  // pods that were not placed; expected to be 0
  runtime::Core& core() { return *core_; }

 private:
  void add_nodes(uint32_t count);
  void add_others(uint32_t count);
  model::Pod pod(uint32_t number) const;

  SteadyOptions options_;
  runtime::Plugins plugins_;
  std::unique_ptr<runtime::Core> core_;
  std::vector<model::PodRecord> pods_;  // reused in turn
  std::vector<model::PodId> ids_;       // parallel; valid for pods in the cluster
  size_t next_ = 0;                     // index in pods_ of the next pod to schedule
  size_t queued_ = 0;                   // number of queued pods from next_ on
  uint64_t most_ = 0;                   // target number of placed pods
  uint64_t placed_ = 0;
  uint64_t failed_ = 0;
};

}  // namespace berth::bench
