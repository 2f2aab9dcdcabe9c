#pragma once

// Plays a dumped cluster: all that is there, then the pods that are to be scheduled, at once.

#include <string>

#include "loadgen/import/cluster_copies.h"
#include "loadgen/play/load.h"
#include "loadgen/play/step_pods.h"
#include "loadgen/write/template_book.h"

namespace berth::loadgen {

class ClusterLoad : public Load {
 public:
  // `reschedule`: pods that run are to be scheduled anew, but those that no scheduler places.
  ClusterLoad(ClusterCopies cluster, uint64_t copies, bool reschedule, std::string note);

  bool next(LoadStep& step) override;
  std::string note() const override { return note_; }

 private:
  enum class Phase : uint8_t { kNamespaces, kSelectorOwners, kNodes, kPlaced, kWork, kOver };

  size_t objects_of_phase() const;
  void add(LoadStep& step);  // the object at hand
  void add_placed(const model::Pod& pod, LoadStep& step);
  void add_work(const model::Pod& pod, LoadStep& step);
  bool is_work(const model::Pod& pod) const;
  bool is_placed(const model::Pod& pod) const;

  ClusterCopies cluster_;
  uint64_t copies_;
  bool reschedule_;
  std::string note_;
  Phase phase_ = Phase::kNamespaces;
  uint64_t copy_ = 0;
  size_t index_ = 0;
  TemplateBook book_;
  StepPods pods_;
};

}  // namespace berth::loadgen
