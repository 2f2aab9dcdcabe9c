#pragma once

// pod-garbage-collector-controller: removes pods whose node was deleted while they ran there, and
// terminating pods of nodes that are out of service. See controllers/pods/pod_collector.h.
//
// Pods on nodes that never existed stay: a dump may lack its nodes. Finished pods are not known
// here.

#include <string>
#include <vector>

#include "engine/controllers/pods/pod_collector.h"
#include "engine/played/controllers/controller.h"
#include "engine/played/controllers/evictor.h"

namespace berth::played {

class NodeLifecycles;

class GarbageCollector final : public Controller, private controllers::PodCollectorCluster {
 public:
  // Both outlive it. Without `lifecycles` all nodes are ready.
  GarbageCollector(runtime::Core& core, Evictor& evictor, const NodeLifecycles* lifecycles)
      : Controller(core), evictor_(evictor), lifecycles_(lifecycles) {}

  std::optional<Time> next() const override { return rules_.next(); }
  void run_due() override { rules_.run_due(now()); }
  void object_changed(model::Operation operation, const model::Object& object) override;
  void node_changed(model::Slot node) override;
  void pod_changed(model::PodId pod) override;
  void pod_ends(model::PodId pod) override;
  bool unfinished() const override { return rules_.unfinished(); }
  bool removes_pods() const override { return rules_.unfinished(); }

 private:
  std::vector<controllers::CollectedPod> pods_on(const std::string& node) const override;
  void collect(Time now, const controllers::CollectedPod& pod,
               const controllers::Condition* condition) override;
  controllers::CollectedPod collected(const model::PodRecord& pod) const;

  Evictor& evictor_;
  const NodeLifecycles* const lifecycles_;
  controllers::PodCollector rules_{*this, 0};
  std::set<std::string, std::less<>> known_;  // nodes of which the rules were told
};

}  // namespace berth::played
