#include "engine/runtime/events/assumed_updates.h"

#include "engine/base/assert.h"

namespace berth::runtime {

void AssumedUpdates::keep(model::PodId pod, const model::PodRecord& object) {
  BERTH_ASSERT(applies_to(cluster_.pod(pod)));
  model::PodRecord kept = object;
  kept.id = pod;
  kept.shape = cluster_.shape(kept);
  cluster_.retain(kept);
  const auto [at, is_first] = kept_.try_emplace(pod.index, kept);
  if (is_first) return;
  cluster_.release(at->second);
  at->second = kept;
}

const model::PodRecord& AssumedUpdates::latest(model::PodId pod) const {
  const auto at = kept_.find(pod.index);
  return at == kept_.end() ? cluster_.pod(pod) : at->second;
}

void AssumedUpdates::count_kept(model::PodId pod) {
  const auto at = kept_.find(pod.index);
  if (at == kept_.end()) return;
  const model::PodRecord object = at->second;
  BERTH_ASSERT(object.id == pod);
  kept_.erase(at);
  cluster_.update_pod(pod, object);
  cluster_.release(object);
}

std::vector<model::PodId> AssumedUpdates::pods() const {
  std::vector<model::PodId> pods;
  for (const auto& one : kept_) pods.push_back(one.second.id);
  return pods;
}

}  // namespace berth::runtime
