#pragma once

// Hints: a node that is new or larger and could hold the pod alone; a pod that goes or shrinks.

#include <vector>

#include "berth/sdk/sdk.hpp"

namespace berth::plugins {

struct FitHintState {
  struct Need {
    sdk::Slot<int64_t> allocatable;
    int64_t request;
  };
  sdk::Slot<int64_t> places;  // number of pods that the node allows
  std::vector<Need> needs;
  std::vector<uint32_t> requested;  // string ids of the resources that the pod requests
};

class FitHints final : public sdk::Hints<FitHintState> {
 public:
  void init(sdk::Host host) override { strings_ = sdk::Strings(host); }
  uint32_t actions(uint32_t kind) const override;
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, FitHintState& state) override;
  bool hint(const Call& call, const sdk::Event& event) const override;

 private:
  bool shrank(const Call& call, const sdk::Event& event) const;
  int64_t amount(const sdk::Columns& pod, uint32_t resource) const;

  sdk::Strings strings_;
  sdk::ListInput<uint32_t> request_names_{*this, "pod.request_names"};
  sdk::ListInput<int64_t> requests_{*this, "pod.requests"};
  sdk::ListInput<uint32_t> running_names_{*this, "pod.running_request_names"};
  sdk::ListInput<int64_t> running_{*this, "pod.running_requests"};
  sdk::Family allocatable_{*this, "node.allocatable:*"};
};

}  // namespace berth::plugins
