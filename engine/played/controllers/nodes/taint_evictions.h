#pragma once

// taint-eviction-controller: pods leave nodes with NoExecute taints that they do not tolerate, or
// not for so long. See controllers/pods/taint_eviction.h.

#include <set>
#include <string>
#include <vector>

#include "engine/controllers/pods/taint_eviction.h"
#include "engine/played/controllers/controller.h"
#include "engine/played/controllers/evictor.h"

namespace berth::played {

class TaintEvictions final : public Controller, private controllers::TaintEvictionCluster {
 public:
  // The evictor outlives it.
  TaintEvictions(runtime::Core& core, Evictor& evictor) : Controller(core), evictor_(evictor) {}

  std::optional<Time> next() const override;
  void run_due() override;
  void object_changed(model::Operation operation, const model::Object& object) override;
  void node_changed(model::Slot node) override;
  void pod_changed(model::PodId pod) override;
  void pod_ends(model::PodId pod) override;
  bool removes_pods() const override { return next().has_value(); }

 private:
  struct Due {
    std::string pod;
    model::Taint taint;
  };

  std::vector<controllers::TaintedPod> pods_on(const std::string& node) const override;
  void evict(Time now, const std::string& pod, const model::Taint& taint) override;
  void cancelled(Time now, const std::string& pod) override;
  controllers::TaintedPod tainted(const model::PodRecord& pod) const;

  Evictor& evictor_;
  controllers::TaintEviction rules_{*this};
  std::set<std::string, std::less<>> tainted_;  // nodes that the rules know of
  // Pods that are to be evicted now. What tells of the taint may be in the middle of its work.
  std::vector<Due> due_;
};

}  // namespace berth::played
