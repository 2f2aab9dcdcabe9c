#include "engine/played/held_pods.h"

#include "engine/base/assert.h"

namespace berth::played {

void HeldPods::add(model::PodId pod, std::string name, const std::string& node) {
  BERTH_ASSERT(!contains(pod));
  pods_.emplace(pod, node);
  names_[node].emplace(pod, std::move(name));
}

void HeldPods::forget(model::PodId pod) {
  const auto held = pods_.find(pod);
  if (held == pods_.end()) return;
  const auto node = names_.find(held->second);
  node->second.erase(pod);
  if (node->second.empty()) names_.erase(node);
  pods_.erase(held);
}

void HeldPods::release(const std::string& node, Time now, Deletions& to) {
  const auto held = names_.find(node);
  if (held == names_.end()) return;
  for (auto& [pod, name] : held->second) {
    to.add(pod, std::move(name), now);
    pods_.erase(pod);
  }
  names_.erase(held);
}

}  // namespace berth::played
