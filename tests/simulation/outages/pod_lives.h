#pragma once

// The lives of the pods of workloads, from the reports of the core: how many were made, and why
// each of them went.

#include <cstdint>
#include <map>
#include <string>

#include "engine/runtime/core.h"

namespace berth::simulation {

class PodLives {
 public:
  struct Workload {
    uint64_t made = 0, gone = 0;
    uint64_t succeeded = 0;  // of the gone ones
    uint64_t surplus = 0;    // of the gone ones: nobody evicted them
  };

  void attach(const runtime::Core& core) { core_ = &core; }

  // Each returns what is wrong with it; empty: nothing is.
  std::string arrived(const runtime::Arrived& pods);
  std::string disrupted(const runtime::Disrupted& by);
  void preempted(model::PodId pod) { lives_[pod.handle()].has_cause = true; }
  void finished(const runtime::Finished& with);
  void deleted(model::PodId pod);

  const Workload& of(const std::string& workload) { return workloads_[workload]; }

 private:
  struct Life {
    std::string workload;
    bool evicted = false;
    bool tainted = false;    // the taint manager evicted it
    bool has_cause = false;  // to go
    bool succeeded = false;
  };

  const runtime::Core* core_ = nullptr;
  std::map<uint64_t, Life> lives_;  // by handle, of pods that are there
  std::map<std::string, Workload> workloads_;
};

}  // namespace berth::simulation
