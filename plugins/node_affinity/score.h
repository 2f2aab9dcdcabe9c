#pragma once

// PreScore and Score: the sum of the weights of the preferred terms that a node matches, of the pod
// and of the configuration. The host normalises by the highest sum. Source: kube-scheduler
// nodeaffinity/node_affinity.go, PreScore and Score.

#include <string>
#include <vector>

#include "berth/sdk/sdk.hpp"
#include "plugins/node_affinity/args.h"

namespace berth::plugins {

// The inputs of a hook that reads preferred terms: selector handles and weights, in step.
struct PreferredInputs {
  explicit PreferredInputs(sdk::Declaration& hook)
      : terms(hook, "pod.preferred"), weights(hook, "pod.preferred_weights") {}

  // The errors of the pod's terms, joined; empty if there is none.
  std::string problem(const sdk::Columns& pod, const sdk::Selectors& selectors) const;

  sdk::ListInput<uint32_t> terms;
  sdk::ListInput<int64_t> weights;
};

struct PreScoreState {
  std::string problem;  // PreferredInputs::problem
};

// Fails the pod if one of its terms is malformed; skips Score if neither the pod nor the
// configuration prefers nodes.
class AffinityPreScore final : public sdk::PreScore<PreScoreState> {
 public:
  explicit AffinityPreScore(const AffinityArgs& args) : args_(args) {}

  void init(sdk::Host host) override { selectors_ = sdk::Selectors(host); }
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, PreScoreState& state) override;
  void pre_score(const Call& call, const berth_feasible*,
                 sdk::PreScoreResult& result) const override;

 private:
  const AffinityArgs& args_;
  sdk::Selectors selectors_;
  sdk::Input<uint8_t> has_preferred_{*this, "pod.has_preferred"};
  PreferredInputs preferred_{*this};
};

struct PreferredMatches {
  struct Term {
    sdk::Slot<uint8_t> matches;  // node.matches:SELECTOR
    int64_t weight;              // 1..100
  };
  std::vector<Term> terms;  // those of the configuration first; empty: every node scores 0
  std::string problem;      // of the pod's terms; empty: none
};

// Sums the weights. Fails the pod like PreScore, which may be disabled.
class AffinityScore final : public sdk::Score<PreferredMatches> {
 public:
  explicit AffinityScore(const AffinityArgs& args) : Score(BERTH_NORMALISE_MAX), args_(args) {}

  void init(sdk::Host host) override { selectors_ = sdk::Selectors(host); }
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared,
               PreferredMatches& state) override;
  void score(const Call& call, std::span<int64_t> raw) const override;

 private:
  const AffinityArgs& args_;
  sdk::Selectors selectors_;
  PreferredInputs preferred_{*this};
  sdk::Family matches_{*this, "node.matches:*"};
};

}  // namespace berth::plugins
