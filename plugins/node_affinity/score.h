#pragma once

// PreScore and Score: the sum of the weights of the preferred terms that a node matches.

#include <string>
#include <vector>

#include "berth/sdk/sdk.hpp"
#include "plugins/node_affinity/args.h"

namespace berth::plugins {

// The inputs of a hook that reads preferred terms.
struct PreferredInputs {
  explicit PreferredInputs(sdk::Declaration& hook)
      : terms(hook, "pod.preferred"), weights(hook, "pod.preferred_weights") {}

  // The errors of the pod's terms, joined; empty if there is none.
  std::string problem(const sdk::Columns& pod, const sdk::Selectors& selectors) const;

  sdk::ListInput<uint32_t> terms;
  sdk::ListInput<int64_t> weights;
};

struct PreScoreState {
  std::string problem;
};

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
    sdk::Slot<uint8_t> matches;
    int64_t weight;
  };
  std::vector<Term> terms;
  std::string problem;
};

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
