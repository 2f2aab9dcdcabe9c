#include "tests/simulation/outages/pod_lives.h"

#include "tests/simulation/outages/pod_count.h"

namespace berth::simulation {

// A pod may arrive again.
std::string PodLives::arrived(const runtime::Arrived& pods) {
  for (const model::PodId pod : pods.pods) {
    const auto [at, is_new] = lives_.try_emplace(pod.handle());
    if (!is_new) continue;
    at->second.workload = workload_of(core_->cluster(), core_->cluster().pod(pod));
    if (at->second.workload.empty()) return "a pod arrives that no workload has";
    ++workloads_[at->second.workload].made;
  }
  return {};
}

// A pod that terminates may be evicted again with a shorter grace period: that changes the message
// alone. One that its kubelet evicts does not terminate, and others may evict it as long as it
// runs.
std::string PodLives::disrupted(const runtime::Disrupted& by) {
  Life& life = lives_[by.pod.handle()];
  const bool by_taint = by.reason == "DeletionByTaintManager";
  const bool again = by.terminates_already ? by_taint : life.evicted;
  if (by_taint && life.tainted) return "a taint evicts it twice";
  life.tainted |= by_taint;
  life.has_cause = true;
  life.evicted |= by.reason != "TerminationByKubelet";
  return again ? "it is evicted twice" : "";
}

void PodLives::finished(const runtime::Finished& with) {
  Life& life = lives_[with.pod.handle()];
  life.has_cause = true;
  life.succeeded = with.exit_code == 0;
}

void PodLives::deleted(model::PodId pod) {
  const auto life = lives_.extract(pod.handle());
  if (!life) return;
  Workload& workload = workloads_[life.mapped().workload];
  ++workload.gone;
  workload.succeeded += life.mapped().succeeded;
  workload.surplus += !life.mapped().has_cause;
}

}  // namespace berth::simulation
