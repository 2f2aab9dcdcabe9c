#pragma once

// A pod that is added to or removed from changed rows (evaluation/rows/changed_row.h).

#include <vector>

#include "engine/framework/hooks/profile.h"

namespace berth::framework {

// Holds everything about the pod that a change of a row needs, so that evaluating threads need not
// look it up in the model. Constructed on the thread that owns the model; valid until the model is
// modified; any thread may read it.
class TrialPod {
 public:
  TrialPod(const Profile& profile, model::Cluster& cluster, const model::PodRecord& pod);
  // Of a placed pod, where no hook follows pods (Profile::overlay_state is empty). Any thread.
  explicit TrialPod(const model::PodOnNode& pod) : pod_(pod) {}

  const model::PodOnNode& on_node() const { return pod_; }
  // The pod's columns for a hook of Profile::overlay_state.
  const CallColumns& columns(size_t overlay_state) const { return columns_[overlay_state]; }

 private:
  model::PodOnNode pod_;
  std::vector<CallColumns> columns_;  // by hook of Profile::overlay_state
};

}  // namespace berth::framework
