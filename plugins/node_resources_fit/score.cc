#include "plugins/node_resources_fit/score.h"

#include <algorithm>
#include <cmath>

#include "berth/sdk/arithmetic.hpp"
#include "plugins/node_resources_fit/kernels.h"

namespace berth::plugins {
namespace {

// Each function requires allocatable != 0. Products wrap like kube-scheduler's.
int64_t least_allocated(int64_t requested, int64_t allocatable) {
  if (requested > allocatable) return 0;
  const int64_t free = sdk::wrapping_subtract(allocatable, requested);
  return sdk::wrapping_divide(sdk::wrapping_multiply(free, 100), allocatable);
}

int64_t most_allocated(int64_t requested, int64_t allocatable) {
  return sdk::wrapping_divide(sdk::wrapping_multiply(std::min(requested, allocatable), 100),
                              allocatable);
}

int64_t by_ratio(int64_t requested, int64_t allocatable, const sdk::UtilisationScores& scores) {
  if (requested > allocatable) return scores.back();
  const int64_t utilisation =
      sdk::wrapping_divide(sdk::wrapping_multiply(requested, 100), allocatable);
  return scores[static_cast<size_t>(std::clamp<int64_t>(utilisation, 0, 100))];
}

bool add_resource(const FitArgs& args, const BlockInput& in, BlockSums& sums) {
  switch (args.strategy) {
    case Strategy::kLeastAllocated:
      return add_least(in, sums);
    case Strategy::kMostAllocated:
      return add_most(in, sums);
    case Strategy::kRequestedToCapacityRatio:
      return add_ratio(in, args.scores_by_utilisation, sums);
  }
  return false;
}

}  // namespace

void FitScore::prepare(const sdk::Template& pod, sdk::Preparation& prepared, FitScoreState& state) {
  state.resources =
      sdk::add_scored(prepared, strings_, args_.resources,
                      {pod.one(request_names_), pod.one(requests_)}, "node.nonzero_requested:");
  if (state.resources.empty()) prepared.passes();
}

void FitScore::score(const Call& call, std::span<int64_t> raw) const {
  const FitScoreState& state = call.state();
  // Mostly one node changed since the last call, for which vectors do not pay.
  if (raw.size() == 1) {
    raw[0] = score_one(call, 0);
    return;
  }
  for (size_t begin = 0; begin < raw.size(); begin += BlockSums::kRows) {
    const size_t rows = std::min(BlockSums::kRows, raw.size() - begin);
    BlockSums sums;  // NOLINT: the members that are read are set here
    std::fill_n(sums.scores, rows, 0.0);
    std::fill_n(sums.weights, rows, 0.0);
    bool small = true;
    for (const sdk::ScoredResource& resource : state.resources)
      small = small && add_resource(args_,
                                    {call[resource.allocatable].data() + begin,
                                     call[resource.used].data() + begin, resource.request,
                                     static_cast<double>(resource.weight), rows},
                                    sums);
    if (!small) {
      for (size_t i = begin; i < begin + rows; ++i) raw[i] = score_one(call, i);
    } else if (args_.strategy == Strategy::kRequestedToCapacityRatio) {
      finish_rounded(sums, rows, raw.data() + begin);
    } else {
      finish_truncated(sums, rows, raw.data() + begin);
    }
  }
}

int64_t FitScore::score_one(const Call& call, size_t position) const {
  const bool ratio = args_.strategy == Strategy::kRequestedToCapacityRatio;
  int64_t scores = 0;
  int64_t weights = 0;
  for (const sdk::ScoredResource& resource : call.state().resources) {
    const int64_t allocatable = call[resource.allocatable][position];
    if (allocatable == 0) continue;
    const int64_t requested = sdk::wrapping_add(call[resource.used][position], resource.request);
    const int64_t score = ratio ? by_ratio(requested, allocatable, args_.scores_by_utilisation)
                          : args_.strategy == Strategy::kMostAllocated
                              ? most_allocated(requested, allocatable)
                              : least_allocated(requested, allocatable);
    if (ratio && score <= 0) continue;
    scores += score * resource.weight;
    weights += resource.weight;
  }
  if (weights == 0) return 0;
  if (!ratio) return scores / weights;
  return static_cast<int64_t>(
      std::round(static_cast<double>(scores) / static_cast<double>(weights)));
}

void FitScore::numbers(const Call& call, sdk::Numbers& numbers) const {
  sdk::write_scored(call, call.state().resources, numbers);
}

}  // namespace berth::plugins
