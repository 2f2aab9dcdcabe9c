#pragma once

// Generates the load of a workload file, one step at a time. Memory is proportional to the objects
// that exist and to what is planned, not to the length of the load.
//
// A load has two parts. The Scene gives out the cluster in which it begins. Then two sources are
// merged in time order: Arrivals, and changes: pods that end by themselves (Lifetimes), what pods
// use (PodUsages), and changes of owners, nodes and namespaces (ClusterChanges).
//
// Time of changes is rounded up to the end of a tick (the workload's `tick`, TickClock). Without
// this, additions and deletions of pods would alternate, and each step would hold a single pod.
// Arriving pods keep their own times. All changes of a tick happen before the pods that arrive
// later.
//
// A change can need more pods than fit in one step (kPodsPerStep). Such work becomes a task
// (PodTasks), which later steps continue. A change that depends on pods of an unfinished task waits
// for it.
//
// Nothing that has ended is remembered. Names, shapes, requests and lifetimes are functions of the
// seed and a number (draws.h), so a node is rebuilt from its number and a pod's name is rebuilt
// when it ends. Only deviations are stored: states of nodes that failed, were drained or relabelled
// (CurrentNodes), and the numbers of the living pods of each owner (OwnedPods).

#include <cstdint>
#include <map>
#include <string>

#include "loadgen/generate/arrivals/arrivals.h"
#include "loadgen/generate/arrivals/job_pods.h"
#include "loadgen/generate/changes/cluster_changes.h"
#include "loadgen/generate/cluster/generated_cluster.h"
#include "loadgen/generate/owners/daemon_sets.h"
#include "loadgen/generate/owners/owned_pods.h"
#include "loadgen/generate/pod_tasks.h"
#include "loadgen/generate/pods/lifetimes.h"
#include "loadgen/generate/pods/pod_usages.h"
#include "loadgen/generate/pods/pod_writer.h"
#include "loadgen/generate/scene.h"
#include "loadgen/generate/tick_clock.h"
#include "loadgen/play/load.h"
#include "loadgen/workload/workload_spec.h"

namespace berth::loadgen {

// One thread.
class Generator final : public Load {
 public:
  // Throws Error if a file of times cannot be read.
  Generator(WorkloadSpec spec, uint64_t seed, const std::map<std::string, std::string>& parameters);

  bool next(LoadStep& step) override;
  std::string note() const override;

 private:
  // The phases run in this order.
  enum class Phase : uint8_t { kScene, kTimed, kOver };

  void begin_time();
  bool timed(LoadStep& step);
  bool proceed();
  void fill(LoadStep& step);
  void happen(LoadStep& step);
  int64_t next_change() const;
  bool over() const;

  WorkloadSpec spec_;
  std::map<std::string, std::string> parameters_;
  GeneratedCluster cluster_;
  TickClock clock_;
  PodWriter writer_;
  Lifetimes lifetimes_;
  PodUsages usages_;
  OwnedPods owned_;
  DaemonSets daemon_sets_;
  JobPods jobs_;
  PodTasks tasks_;
  Arrivals arrivals_;
  ClusterChanges changes_;
  Scene scene_;

  Phase phase_ = Phase::kScene;
  bool measured_ = true;  // of the last pods; steps without pods inherit it
};

}  // namespace berth::loadgen
