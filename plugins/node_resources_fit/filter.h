#pragma once

// Filter: a free pod slot, and for each resource at least the amount that the pod requests.
// Source: kube-scheduler fit.go, fitsRequest.
//
// A need that exceeds what the node has in all is UNSCHEDULABLE_AND_UNRESOLVABLE, because no
// eviction helps; one that exceeds only what is free is UNSCHEDULABLE. Of several the worse counts.

#include <string>
#include <vector>

#include "berth/sdk/sdk.hpp"
#include "plugins/node_resources_fit/args.h"

namespace berth::plugins {

// True if nodes account for the resource: cpu, memory, ephemeral-storage and scalar resources.
bool is_counted(std::string_view resource);
// True if a node has to have the requested amount. The resources that the configuration ignores are
// not excluded.
bool must_fit(std::string_view resource, int64_t request);

// The needs of a template's pods on a node. Amounts are in the units of abi/columns.md: milli-CPU,
// bytes, or whole units.
struct FitState {
  struct Need {
    std::string resource;
    std::string reason;              // "Insufficient cpu"
    sdk::Slot<int64_t> allocatable;  // node.allocatable:RESOURCE
    sdk::Slot<int64_t> used;         // node.requested:RESOURCE
    int64_t request;                 // must_fit(resource, request) holds
  };
  sdk::Slot<int64_t> places;  // number of pods that the node allows
  std::vector<Need> needs;    // cpu, memory, ephemeral-storage, then others by name
};

// Refuses nodes without room. Fails if the PreFilter hook did not run for the pod, as
// kube-scheduler does: its PreFilter writes what the filter reads.
class FitFilter final : public sdk::Filter<FitState> {
 public:
  // `args` outlives it, and is read from `prepare` on.
  explicit FitFilter(const FitArgs& args) : args_(args) {}

  void init(sdk::Host host) override { strings_ = sdk::Strings(host); }
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, FitState& state) override;
  void filter(const Call& call, std::span<uint8_t> verdicts) const override;
  // A reason is a bit set of what the node lacks: the pod slot, then the needs in order. If there
  // are more needs than bits, `describe` computes the texts again from the node's columns.
  void reasons(const Call& call, std::span<uint32_t> reasons) const override;
  void describe(const Call& call, uint32_t reason, const sdk::TextSink& sink) const override;
  // An item for the pod slots and for each resource that the node lacks.
  void numbers(const Call& call, sdk::Numbers& numbers) const override;

 private:
  // True if the resource must fit and the configuration does not ignore it.
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
