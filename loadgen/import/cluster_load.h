#pragma once

// Plays a dumped cluster: first the cluster with its running pods, then all pods to be scheduled,
// at once.

#include <string>

#include "loadgen/import/cluster_copies.h"
#include "loadgen/play/load.h"
#include "loadgen/play/step_pods.h"
#include "loadgen/write/template_numbers.h"

namespace berth::loadgen {

class ClusterLoad : public Load {
 public:
  // `reschedule`: running pods are scheduled again, apart from static pods, which no scheduler
  // places. `note` is the result of note().
  ClusterLoad(ClusterCopies cluster, uint64_t copies, bool reschedule, std::string note);

  bool next(LoadStep& step) override;
  std::string note() const override { return note_; }

 private:
  enum class Phase : uint8_t {
    kNamespaces,
    kSelectorOwners,
    kBudgets,
    kStorage,
    kGroups,
    kNodes,
    kPlaced,
    kWork,
    kOver
  };

  size_t objects_of_phase() const;
  model::Object object(LoadStep& step);  // the current one; its template is defined in the step
  ingest::TemplatePod placed(const model::Pod& pod, LoadStep& step);
  void add_work(const model::Pod& pod, LoadStep& step);
  // True if the pod is to be scheduled.
  bool is_work(const model::Pod& pod) const;
  // True if the pod is part of the initial cluster.
  bool is_placed(const model::Pod& pod) const;

  ClusterCopies cluster_;
  uint64_t copies_;
  bool reschedule_;
  std::string note_;
  Phase phase_ = Phase::kNamespaces;
  uint64_t copy_ = 0;
  size_t index_ = 0;  // within the phase
  TemplateNumbers template_numbers_;
  StepPods pods_;
};

}  // namespace berth::loadgen
