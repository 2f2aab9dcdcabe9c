#pragma once

// A DaemonSet that a run plays: a pod for each node that takes it. It looks at the nodes that come
// or change, and at those that lose its pod.

#include <map>
#include <set>
#include <string>

#include "engine/controllers/workloads/daemon_backoff.h"
#include "engine/played/workloads/played_workload.h"

namespace berth::played {

class DaemonSet final : public PlayedWorkload {
 public:
  DaemonSet(model::Workload object, WorkloadMeans& means)
      : PlayedWorkload(std::move(object), means), looks_at_all_(this->object().creates) {}

  void act() override;
  std::optional<Time> next() const override;
  bool reads_nodes() const override { return true; }
  // Taints that controllers give nodes are tolerated.
  bool node_changed(const std::string& name, bool told) override;

 private:
  void look_at(const std::string& node);
  std::string place_of(const model::PodRecord& record) const;
  bool came(const OwnPod& pod, const model::PodRecord& record) override;
  bool terminates(const OwnPod&) override { return false; }
  bool ended(const OwnPod& pod, const model::PodRecord& record,
             const runtime::PodFinish* finish) override;

  std::map<std::string, std::set<uint64_t>, std::less<>> served_;  // handles of pods, by node
  std::set<std::string> due_;                                      // nodes, now
  std::set<std::pair<Time, std::string>> later_;                   // nodes whose pod failed
  controllers::DaemonBackoff backoff_;
  bool looks_at_all_;  // nodes, at first
};

}  // namespace berth::played
