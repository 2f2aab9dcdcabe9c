#pragma once

// Hints: a node that is new or larger and could hold the pod alone; a pod that goes or shrinks.
// Source: kube-scheduler fit.go, isSchedulableAfterPodEvent and isSchedulableAfterNodeChange.

#include <vector>

#include "berth/sdk/sdk.hpp"

namespace berth::plugins {

struct FitHintState {
  struct Need {
    sdk::Slot<int64_t> allocatable;  // of the event's node, before and after
    int64_t request;                 // of the refused pod, in the column's unit
  };
  sdk::Slot<int64_t> places;  // number of pods that the node allows
  std::vector<Need> needs;    // also of resources that the configuration ignores
  // String ids of the resources that the pod requests: only a decrease of one of these helps.
  std::vector<uint32_t> requested;
};

// Asked about nodes that are added or whose allocatable amounts change, about pods that are deleted
// and about pods whose requests shrink; not about volumes.
class FitHints final : public sdk::Hints<FitHintState> {
 public:
  void init(sdk::Host host) override { strings_ = sdk::Strings(host); }
  uint32_t actions(uint32_t kind) const override;
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, FitHintState& state) override;
  bool hint(const Call& call, const sdk::Event& event) const override;

 private:
  // True if the event's pod requests less of a resource that the refused pod requests.
  bool shrank(const Call& call, const sdk::Event& event) const;
  // The running request of a resource by its string id; 0 if there is none or it is negative.
  int64_t amount(const sdk::Columns& pod, uint32_t resource) const;

  sdk::Strings strings_;
  sdk::ListInput<uint32_t> request_names_{*this, "pod.request_names"};
  sdk::ListInput<int64_t> requests_{*this, "pod.requests"};
  sdk::ListInput<uint32_t> running_names_{*this, "pod.running_request_names"};
  sdk::ListInput<int64_t> running_{*this, "pod.running_requests"};
  sdk::Family allocatable_{*this, "node.allocatable:*"};
};

}  // namespace berth::plugins
