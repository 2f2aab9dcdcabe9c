#pragma once

// Prefers nodes whose resources are used evenly: 1 minus the standard deviation of the fractions in
// use (kube-scheduler v1.34.1, plugins/noderesources/balanced_allocation.go). With the rule
// BalanceOfChange (v1.36.2), nodes that the pod makes more even: half of what it changes, from 75.
//
// Raw scores are final, 0..100. The arithmetic is kube-scheduler's in doubles, with the same order
// of operations, so that truncation gives the same score. Two resources, the default, are scored
// by kernel.h over all nodes at once.

#include <vector>

#include "berth/sdk/kubernetes/scored_resources.hpp"
#include "berth/sdk/sdk.hpp"
#include "berth/sdk/services/signing.hpp"

namespace berth::plugins {

struct BalancedArgs {
  std::vector<sdk::ResourceSpec> resources;  // without duplicates; each weight is 1
};

// Reads arguments of kind NodeResourcesBalancedAllocationArgs. Reports every error through
// `config`.
BalancedArgs read_balanced_args(const sdk::Config& config);

// The pod's requests, as both hooks read them: names (string ids) and amounts, in step. Without the
// defaults of 100m and 200 MiB for containers that request nothing.
struct RunningRequests {
  explicit RunningRequests(sdk::Declaration& hook)
      : names(hook, "pod.running_request_names"), amounts(hook, "pod.running_requests") {}

  sdk::Requests of(const sdk::Columns& pod) const { return {pod.one(names), pod.one(amounts)}; }

  sdk::ListInput<uint32_t> names;
  sdk::ListInput<int64_t> amounts;
};

// A pod that requests none of the resources is not scored.
struct BalancedPreScoreState {
  bool requests_none = false;
};

// Skips Score for pods that request none of the configured resources.
class BalancedPreScore final : public sdk::PreScore<BalancedPreScoreState> {
 public:
  explicit BalancedPreScore(const BalancedArgs& args) : args_(args) {}

  void init(sdk::Host host) override { strings_ = sdk::Strings(host); }
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared,
               BalancedPreScoreState& state) override;
  void pre_score(const Call& call, const berth_feasible*,
                 sdk::PreScoreResult& result) const override;

 private:
  const BalancedArgs& args_;
  sdk::Strings strings_;
  RunningRequests requests_{*this};
};

struct BalancedState {
  bool requests_none = false;  // every node scores 0
  // The resources that count for the pod, in the order of the configuration.
  std::vector<sdk::ScoredResource> resources;
};

// A node that lacks a resource (allocatable 0) is scored by the others.
class BalancedScore final : public sdk::Score<BalancedState> {
 public:
  explicit BalancedScore(const BalancedArgs& args) : Score(BERTH_NORMALISE_NONE), args_(args) {}

  void init(sdk::Host host) override;
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, BalancedState& state) override;
  void score(const Call& call, std::span<int64_t> raw) const override;
  void numbers(const Call& call, sdk::Numbers& numbers) const override;

 private:
  const BalancedArgs& args_;
  sdk::Strings strings_;
  RunningRequests requests_{*this};
  sdk::Family allocatable_{*this, "node.allocatable:*"};
  sdk::Family requested_{*this, "node.requested:*"};
  bool of_change_ = false;
};

class BalancedAllocation final : public sdk::Plugin {
 public:
  BalancedAllocation() { add(pre_score_, score_); }

  static void validate(const sdk::Config& config) { read_balanced_args(config); }
  void init(sdk::Host host, const sdk::Config& config) override {
    args_ = read_balanced_args(config);
    sdk::decides_by(host, BERTH_PART_REQUESTS);
  }

 private:
  BalancedArgs args_;
  BalancedPreScore pre_score_{args_};
  BalancedScore score_{args_};
};

}  // namespace berth::plugins
