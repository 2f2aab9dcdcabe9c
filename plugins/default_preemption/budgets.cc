#include "plugins/default_preemption/budgets.h"

#include <utility>

namespace berth::plugins {

std::vector<PlacedPod> take_violating(std::vector<PlacedPod>& pods, sdk::Lists<uint32_t> budgets,
                                      std::span<const int64_t> allowed) {
  if (allowed.empty()) return {};  // there is no budget
  std::vector<PlacedPod> violating, others;
  std::vector<int64_t> left(allowed.begin(), allowed.end());
  for (const PlacedPod& pod : pods) {
    bool violates = false;
    for (const uint32_t budget : budgets[pod.position]) violates |= --left[budget] < 0;
    (violates ? violating : others).push_back(pod);
  }
  pods = std::move(others);
  return violating;
}

}  // namespace berth::plugins
