#include "engine/explain/change/pods_away.h"

#include <algorithm>

#include "engine/base/assert.h"

namespace berth::explain {

void PodsAway::take(model::PodId pod) {
  away_.emplace_back(pod, cluster_.pod(pod).slot);
  cluster_.unplace(pod);
}

void PodsAway::put_back(model::PodId pod) {
  const auto at = std::ranges::find(away_, pod, &decltype(away_)::value_type::first);
  BERTH_ASSERT(at != away_.end());
  place(*at);
  away_.erase(at);
}

void PodsAway::put_all_back() {
  for (; !away_.empty(); away_.pop_back()) place(away_.back());
}

void PodsAway::place(const std::pair<model::PodId, model::Slot>& one) {
  cluster_.place(one.first, cluster_.nodes().name(one.second));
}

std::vector<model::PodId> PodsAway::all() const {
  std::vector<model::PodId> pods;
  for (const auto& [pod, slot] : away_) pods.push_back(pod);
  return pods;
}

}  // namespace berth::explain
