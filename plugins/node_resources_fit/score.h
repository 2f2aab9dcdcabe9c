#pragma once

// Score: the weighted mean over resources of a function of requested and allocatable amounts.
// Source: kube-scheduler resource_allocation.go, least_allocated.go, most_allocated.go and
// requested_to_capacity_ratio.go.
//
// Raw scores are final, 0..100. Blocks of nodes are scored in doubles, which are exact for amounts
// of nodes that exist (kernels.h). A block with larger or negative amounts is scored in integers
// that wrap like kube-scheduler's; both give the same score where both apply.

#include <vector>

#include "berth/sdk/sdk.hpp"
#include "plugins/node_resources_fit/args.h"

namespace berth::plugins {

struct FitScoreState {
  // The configured resources that count for the pod, in the order of the configuration. Empty:
  // every node scores 0.
  std::vector<sdk::ScoredResource> resources;
};

// The pod's own requests include the defaults of 100m and 200 MiB, and so do the sums of nodes.
class FitScore final : public sdk::Score<FitScoreState> {
 public:
  // `args` outlives it, and is read from `prepare` on.
  explicit FitScore(const FitArgs& args) : Score(BERTH_NORMALISE_NONE), args_(args) {}

  void init(sdk::Host host) override { strings_ = sdk::Strings(host); }
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, FitScoreState& state) override;
  void score(const Call& call, std::span<int64_t> raw) const override;
  void numbers(const Call& call, sdk::Numbers& numbers) const override;

 private:
  // The score of one node in integers, for amounts of any size.
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
