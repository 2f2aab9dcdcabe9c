#pragma once

// One dry run: which pods have to leave a node so that it can run the pod.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "berth/sdk/sdk.hpp"
#include "plugins/default_preemption/candidates.h"

namespace berth::plugins {

// The columns of the pods of a node; a member of the hook.
class PlacedPods {
 public:
  explicit PlacedPods(sdk::Declaration& hook);

  // The pods below a priority, in their order of arrival.
  std::vector<PlacedPod> below(const sdk::Call<sdk::NoState>& pods, int64_t priority) const;
  // The pods of these handles, in their order. Throws Failure for one that is not there.
  std::vector<PlacedPod> named(const sdk::Call<sdk::NoState>& pods,
                               std::span<const uint64_t> handles) const;
  // True if one of these is being deleted because it was preempted.
  bool any_preempted(const sdk::Call<sdk::NoState>& pods, int64_t below) const;
  sdk::Lists<uint32_t> budgets(const sdk::Call<sdk::NoState>& pods) const { return pods[budgets_]; }

 private:
  sdk::Input<uint64_t> handle_;
  sdk::Input<int64_t> priority_, started_at_;
  sdk::Input<uint8_t> preempted_;
  sdk::ListInput<uint32_t> budgets_;
};

struct DryRun {
  enum class Result : uint8_t { kCandidate, kRefused, kFailed };

  Result result = Result::kRefused;
  Candidate candidate;               // kCandidate; without victims the node needs no preemption
  std::vector<std::string> reasons;  // kRefused: why; kFailed: the error of a filter
};

// Removes all pods below the priority, and adds them back one by one as long as the node still can
// run the pod: those first whose eviction violates a budget, and in each group the most important
// first.
void dry_run(sdk::WhatIf& row, const PlacedPods& columns, int64_t priority,
             std::span<const int64_t> allowed, DryRun& result);

}  // namespace berth::plugins
