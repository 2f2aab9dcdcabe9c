#include "engine/binding/bindings_under_way.h"

#include <utility>

#include "engine/base/assert.h"

namespace berth::binding {

void BindingsUnderWay::add(uint64_t number, UnderWay binding) {
  const bool pod_is_new = numbers_.emplace(binding.pod.index, number).second;
  const bool number_is_new = by_number_.emplace(number, std::move(binding)).second;
  BERTH_ASSERT(pod_is_new && number_is_new);
}

void BindingsUnderWay::see(model::PodId pod) {
  BERTH_ASSERT(contains(pod));
  by_number_.at(numbers_.at(pod.index)).seen = true;
}

std::optional<BindingsUnderWay::UnderWay> BindingsUnderWay::take(uint64_t number) {
  const auto at = by_number_.find(number);
  if (at == by_number_.end()) return std::nullopt;
  UnderWay taken = std::move(at->second);
  by_number_.erase(at);
  numbers_.erase(taken.pod.index);
  return taken;
}

std::optional<BindingsUnderWay::UnderWay> BindingsUnderWay::take(model::PodId pod) {
  if (!contains(pod)) return std::nullopt;
  return take(numbers_.at(pod.index));
}

bool BindingsUnderWay::contains(model::PodId pod) const {
  const auto at = numbers_.find(pod.index);
  return at != numbers_.end() && by_number_.at(at->second).pod == pod;
}

std::vector<model::PodId> BindingsUnderWay::unseen() const {
  std::vector<model::PodId> pods;
  for (const auto& one : by_number_)
    if (!one.second.seen) pods.push_back(one.second.pod);
  return pods;
}

}  // namespace berth::binding
