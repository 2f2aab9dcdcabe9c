#include "engine/framework/hooks/trial_pod.h"

namespace berth::framework {

TrialPod::TrialPod(const Profile& profile, model::Cluster& cluster, const model::PodRecord& pod)
    : pod_{0, pod.pod_template, cluster.shape(pod), pod.terminating},
      columns_(profile.overlay_state.size()) {
  cluster.carried().learn(pod_.shape);
  for (size_t i = 0; i < columns_.size(); ++i)
    profile.overlay_state[i].bound.gather_pods(nullptr, {&pod, 1}, {}, columns_[i]);
}

}  // namespace berth::framework
