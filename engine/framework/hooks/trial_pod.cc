#include "engine/framework/hooks/trial_pod.h"

namespace berth::framework {

TrialPod::TrialPod(const Profile& profile, model::Cluster& cluster, const model::PodRecord& pod)
    : pod_{pod.id, pod.pod_template, cluster.shape(pod), pod.terminating},
      columns_(profile.overlay_state.size()) {
  const model::PodRecord* one = &pod;
  cluster.carried().learn(pod_.shape);
  for (size_t i = 0; i < columns_.size(); ++i)
    profile.overlay_state[i].bound.gather_pods(nullptr, {&one, 1}, {}, columns_[i]);
}

}  // namespace berth::framework
