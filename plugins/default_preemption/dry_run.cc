#include "plugins/default_preemption/dry_run.h"

#include <algorithm>

#include "plugins/default_preemption/budgets.h"

namespace berth::plugins {

PlacedPods::PlacedPods(sdk::Declaration& hook)
    : handle_(hook, "pod.handle"),
      priority_(hook, "pod.priority"),
      started_at_(hook, "pod.started_at"),
      preempted_(hook, "pod.preempted"),
      budgets_(hook, "pod.budgets") {}

std::vector<PlacedPod> PlacedPods::below(const sdk::Call<sdk::NoState>& pods,
                                         int64_t priority) const {
  const auto handles = pods[handle_];
  const auto priorities = pods[priority_], started = pods[started_at_];
  std::vector<PlacedPod> found;
  found.reserve(pods.size());
  for (size_t i = 0; i < pods.size(); ++i)
    if (priorities[i] < priority) found.push_back({i, handles[i], priorities[i], started[i]});
  return found;
}

std::vector<PlacedPod> PlacedPods::named(const sdk::Call<sdk::NoState>& pods,
                                         std::span<const uint64_t> handles) const {
  const auto known = pods[handle_];
  const auto priorities = pods[priority_], started = pods[started_at_];
  std::vector<PlacedPod> found;
  for (const uint64_t handle : handles) {
    const auto at =
        static_cast<size_t>(std::find(known.begin(), known.end(), handle) - known.begin());
    if (at == pods.size()) throw sdk::Failure("an extender named a victim that is not on the node");
    found.push_back({at, handle, priorities[at], started[at]});
  }
  return found;
}

bool PlacedPods::any_preempted(const sdk::Call<sdk::NoState>& pods, int64_t below) const {
  const auto priorities = pods[priority_];
  const auto preempted = pods[preempted_];
  for (size_t i = 0; i < pods.size(); ++i)
    if (priorities[i] < below && preempted[i] != 0) return true;
  return false;
}

void dry_run(sdk::WhatIf& row, const PlacedPods& columns, int64_t priority,
             std::span<const int64_t> allowed, DryRun& result) {
  const auto pods = row.pods();
  std::vector<PlacedPod> others = columns.below(pods, priority);
  for (const PlacedPod& pod : others) row.remove(pod.position);
  if (const berth_code code = row.filter(); code != BERTH_SUCCESS) {
    result.result = code == BERTH_ERROR ? DryRun::Result::kFailed : DryRun::Result::kRefused;
    result.reasons = row.reasons();
    return;
  }
  order_by_importance(others);
  const std::vector<PlacedPod> violating = take_violating(others, columns.budgets(pods), allowed);
  std::vector<PlacedPod>& victims = result.candidate.victims;
  victims.clear();
  // True if the pod can stay.
  const auto reprieve = [&](const PlacedPod& pod) {
    row.add(pod.position);
    if (row.filter() == BERTH_SUCCESS) return true;
    row.remove(pod.position);
    victims.push_back(pod);
    return false;
  };
  int64_t violations = 0;
  for (const PlacedPod& pod : violating) violations += reprieve(pod) ? 0 : 1;
  for (const PlacedPod& pod : others) reprieve(pod);
  if (!violating.empty() && !others.empty()) order_by_importance(victims);
  result.result = DryRun::Result::kCandidate;
  result.candidate.weigh(violations);
}

}  // namespace berth::plugins
