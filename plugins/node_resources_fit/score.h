#pragma once

// Score: the weighted mean over resources of a function of requested and allocatable amounts.

#include <vector>

#include "berth/sdk/sdk.hpp"
#include "plugins/node_resources_fit/args.h"

namespace berth::plugins {

struct FitScoreState {
  std::vector<sdk::ScoredResource> resources;
};

class FitScore final : public sdk::Score<FitScoreState> {
 public:
  explicit FitScore(const FitArgs& args) : Score(BERTH_NORMALISE_NONE), args_(args) {}

  void init(sdk::Host host) override { strings_ = sdk::Strings(host); }
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, FitScoreState& state) override;
  void score(const Call& call, std::span<int64_t> raw) const override;

 private:
  int64_t score_one(const Call& call, size_t position) const;

  const FitArgs& args_;
  sdk::Strings strings_;
  sdk::ListInput<uint32_t> request_names_{*this, "pod.scoring_request_names"};
  sdk::ListInput<int64_t> requests_{*this, "pod.scoring_requests"};
  sdk::Family allocatable_{*this, "node.allocatable:*"};
  sdk::Family requested_{*this, "node.requested:*"};
  sdk::Family nonzero_requested_{*this, "node.nonzero_requested:*"};
};

}  // namespace berth::plugins
