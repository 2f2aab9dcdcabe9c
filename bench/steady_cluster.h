#pragma once

// A cluster that stays as full as it is however many pods are scheduled: each pod that is placed
// beyond a number makes the oldest one go. Nodes as in kube-scheduler's benchmark: 4 CPU, 32 GiB,
// 110 pods, in zones as the load says; pods of 100m and 500 MiB, and as many shapes near that as
// are wanted.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/loads.h"
#include "engine/runtime/core.h"

namespace berth::bench {

struct SteadyOptions {
  uint32_t nodes = 5000;
  uint32_t templates = 1;
  uint32_t pods_per_node = 5;
  Load load = Load::kPlain;
  uint32_t groups = 1;       // of pods that look at each other
  uint32_t related = 0;      // placed at a time; 0: as many as pods_per_node says
  uint32_t others = 0;       // pods besides, of 10m and 16 MiB, that stay and look at nobody
  uint32_t most_pods = 110;  // that a node takes
  int32_t percentage = 0;
  framework::FullOptions full;

  bool operator==(const SteadyOptions&) const = default;
};

runtime::Plugins shipped_plugins();  // of this build

class SteadyCluster {
 public:
  // Throws Error if the plugins cannot be used.
  explicit SteadyCluster(const SteadyOptions& options,
                         runtime::Plugins plugins = shipped_plugins());

  // Places pods, as many on each node. To be called once, before the rest.
  void fill();
  // Takes in the pods of the next `kBatch` steps, when the last ones are scheduled: what a stream
  // does on behalf of the deciding thread.
  void refill();
  // Schedules the next pod, binds its batch when that is full, and lets the oldest go.
  void step();

  static constexpr size_t kBatch = 256;

  uint64_t failed() const { return failed_; }  // pods that were not placed, which none should be
  runtime::Core& core() { return *core_; }

 private:
  void add_nodes(uint32_t count);
  void add_others(uint32_t count);
  model::Pod pod(uint32_t number) const;

  SteadyOptions options_;
  runtime::Plugins plugins_;
  std::unique_ptr<runtime::Core> core_;
  std::vector<model::PodRecord> pods_;  // taking turns
  std::vector<model::PodId> ids_;       // in step; of those that are in the cluster
  size_t next_ = 0;                     // to be scheduled
  size_t queued_ = 0;                   // from there on
  uint64_t most_ = 0;                   // placed at a time
  uint64_t placed_ = 0;
  uint64_t failed_ = 0;
};

}  // namespace berth::bench
