#pragma once

// kubelet: containers end by themselves, so long after their pod was bound as its annotations say
// (ingest/objects/decode/container_run.h). The pod's phase becomes Succeeded or Failed: it
// finished, and counts nowhere.
//
// A pod that terminates, goes, or is evicted by its kubelet before does not finish later. While a
// node is silent or is not there, nobody hears that containers have ended: their pods finish when
// its kubelet speaks again.

#include <optional>
#include <set>
#include <string>

#include "engine/played/controllers/controller.h"
#include "engine/played/controllers/nodes/stopped_kubelets.h"
#include "engine/played/deletions.h"
#include "engine/played/held_pods.h"

namespace berth::played {

class ContainerRuns final : public Controller {
 public:
  // `stopped` outlives it.
  ContainerRuns(runtime::Core& core, const StoppedKubelets& stopped)
      : Controller(core), stopped_(stopped) {}

  std::optional<Time> next() const override { return ends_.next(); }
  void run_due() override;
  void object_changed(model::Operation operation, const model::Object& object) override;
  void pod_changed(model::PodId pod) override;
  void pod_ends(model::PodId pod) override;
  bool removes_pods() const override { return ends_.size() != 0; }
  // Its kubelet stops the containers: their own end counts no more.
  void stops(model::PodId pod);

 private:
  void finish(model::PodId pod);
  bool is_silent(const std::string& node) const;

  const StoppedKubelets& stopped_;
  Deletions ends_;  // when containers end
  HeldPods held_;
  std::set<model::PodId> stopping_;
};

}  // namespace berth::played
