#pragma once

// A Deployment that a run plays, with its ReplicaSets: one for each template that it had. A new
// template replaces the pods of the former ones step by step (controllers/workloads/rollout.h).

#include <optional>
#include <vector>

#include "engine/controllers/workloads/rollout.h"
#include "engine/played/workloads/played_workload.h"

namespace berth::played {

class Deployment final : public PlayedWorkload {
 public:
  Deployment(model::Workload object, WorkloadMeans& means);

  void act() override;
  std::optional<Time> next() const override { return next_; }
  // While a rollout is under way.
  bool reads_nodes() const override { return rolls_; }
  bool node_changed(const std::string& /*name*/, bool /*told*/) override { return rolls_; }

 private:
  struct Set {
    model::Workload object;  // as it was when its template was the Deployment's
    int64_t replicas = 0;
  };

  void choose_current();
  void scale(std::vector<controllers::RolloutSet>& sets);
  void roll();
  std::vector<controllers::RolloutSet> states();
  bool has_former_pods() const;
  void fill(size_t set);

  // The index of the pod's set; -1: it is of another one.
  int64_t number_of(const model::PodRecord& pod) const override;
  bool was_bound() override { return rolls_; }
  bool terminates(const OwnPod&) override { return true; }
  bool ended(const OwnPod& pod, const model::PodRecord&, const runtime::PodFinish*) override {
    return rolls_ || !pod.terminating;
  }
  void changed(const model::Workload& before, uint64_t asked) override;

  std::vector<Set> sets_;              // by age
  size_t current_ = 0;                 // of the template that counts
  controllers::RolloutLimits limits_;  // when they were scaled the last time
  bool rolls_ = false;
  std::optional<Time> next_;  // when a pod has been ready for long enough
};

}  // namespace berth::played
