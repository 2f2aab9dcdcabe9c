#pragma once

// Counts how often each thing happened that the simulation of outages is about, so that a test can
// require all of them.

#include <array>
#include <cstddef>
#include <cstdint>

namespace berth::simulation {

enum class Outage : uint32_t {
  kKubeletStops,
  kZoneStops,
  kNotReady,
  kNodeDeleted,
  kTaint,
  kCordon,
  kDrain,
  kMemoryShort,
  kMoreReplicas,
  kFewerReplicas,
  kTaintEviction,
  kKubeletEviction,
  kPodCollected,
  kEvictionGranted,
  kEvictionRefused,
  kSeveralBudgets,
  kDrainEvicts,
  kDrainWaits,
  kDrainEnds,
  kUnhealthyEvicted,
  kPodHeld,
  kJobSucceeds,
  kPreempted,
  kPluginFails,
  kPermitWait,
  kBindingFails,
  kAnswerLate,
  kAnswerLost,
};
inline constexpr size_t kOutages = static_cast<size_t>(Outage::kAnswerLost) + 1;

inline constexpr std::array<const char*, kOutages> kOutageNames{
    "a kubelet stops",
    "a zone stops",
    "a node is not ready",
    "a node is deleted",
    "a node gets a NoExecute taint",
    "a node is cordoned",
    "a drain begins",
    "a node is short of memory",
    "a workload grows",
    "a workload shrinks",
    "a taint evicts a pod",
    "a kubelet evicts a pod",
    "a pod of a deleted node goes",
    "an Eviction is granted",
    "a budget refuses an Eviction",
    "several budgets refuse an Eviction",
    "a drain evicts a pod",
    "a drain waits for a budget",
    "a drain ends",
    "a pod that is not ready is evicted",
    "a pod terminates on a silent node",
    "a pod of a Job succeeds",
    "a pod is preempted",
    "a plugin fails",
    "Permit holds a pod",
    "the server refuses a binding",
    "the answer to a binding is late",
    "the answer to a binding is lost",
};

class OutageMarks {
 public:
  using Counts = std::array<uint64_t, kOutages>;

  void hit(Outage outage, uint64_t times = 1) { counts_[static_cast<size_t>(outage)] += times; }
  const Counts& counts() const { return counts_; }

 private:
  Counts counts_{};
};

}  // namespace berth::simulation
