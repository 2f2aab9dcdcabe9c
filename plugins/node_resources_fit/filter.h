#pragma once

// Filter: a free pod slot, and for each resource at least the amount that the pod requests.

#include <string>
#include <vector>

#include "berth/sdk/sdk.hpp"
#include "plugins/node_resources_fit/args.h"

namespace berth::plugins {

// True if nodes account for the resource.
bool is_counted(std::string_view resource);
// True if a node has to have the requested amount. The resources that the configuration ignores are
// not excluded.
bool must_fit(std::string_view resource, int64_t request);

struct FitState {
  struct Need {
    std::string reason;
    sdk::Slot<int64_t> allocatable;
    sdk::Slot<int64_t> used;
    int64_t request;
  };
  sdk::Slot<int64_t> places;  // number of pods that the node allows
  std::vector<Need> needs;    // in the order of the reasons
};

class FitFilter final : public sdk::Filter<FitState> {
 public:
  explicit FitFilter(const FitArgs& args) : args_(args) {}

  void init(sdk::Host host) override { strings_ = sdk::Strings(host); }
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, FitState& state) override;
  void filter(const Call& call, std::span<uint8_t> verdicts) const override;
  // A reason is a bit set of what the node lacks: the pod slot, then the needs in order. If there
  // are more needs than bits, `describe` computes the texts again from the node's columns.
  void reasons(const Call& call, std::span<uint32_t> reasons) const override;
  void describe(const Call& call, uint32_t reason, const sdk::TextSink& sink) const override;

 private:
  bool counts(std::string_view resource, int64_t request) const;

  const FitArgs& args_;
  sdk::Strings strings_;
  sdk::ListInput<uint32_t> request_names_{*this, "pod.request_names"};
  sdk::ListInput<int64_t> requests_{*this, "pod.requests"};
  sdk::Input<int64_t> pods_{*this, "node.pods"};
  sdk::Family allocatable_{*this, "node.allocatable:*"};
  sdk::Family requested_{*this, "node.requested:*"};
};

}  // namespace berth::plugins
