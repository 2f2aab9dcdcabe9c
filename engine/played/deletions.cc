#include "engine/played/deletions.h"

namespace berth::played {

bool Deletions::add(model::PodId pod, std::string name, Time leaves) {
  const auto known = entries_.find(pod);
  if (known != entries_.end() && known->second->leaves <= leaves) return false;
  forget(pod);
  entries_.emplace(pod, order_.insert({leaves, std::move(name), pod}).first);
  return true;
}

void Deletions::forget(model::PodId pod) {
  const auto known = entries_.find(pod);
  if (known == entries_.end()) return;
  order_.erase(known->second);
  entries_.erase(known);
}

std::optional<Time> Deletions::next() const {
  if (order_.empty()) return std::nullopt;
  return order_.begin()->leaves;
}

std::optional<model::PodId> Deletions::take(Time now) {
  if (order_.empty() || order_.begin()->leaves > now) return std::nullopt;
  const model::PodId pod = order_.begin()->pod;
  forget(pod);
  return pod;
}

}  // namespace berth::played
