#pragma once

// Pods that want to be, or must be, where certain other pods are, or are not.
//
// Counting is the host's, in both directions: queries for the terms of the pod that is to be
// placed, and sums over the terms that placed pods carry. A pod that is placed costs one step in
// each query whose terms it matches, and one for each of its own terms; it makes the answers of the
// nodes in its own domains stale (by hostname: of its own node). Where pods match their own
// required affinity, those of all nodes: the first of a group may go where there is no other.

#include "berth/sdk/sdk.hpp"
#include "plugins/inter_pod_affinity/args.h"
#include "plugins/inter_pod_affinity/filter.h"
#include "plugins/inter_pod_affinity/score.h"

namespace berth::plugins {

class InterPodAffinity final : public sdk::Plugin {
 public:
  InterPodAffinity() { add(pre_filter_, filter_, pre_score_, score_); }

  static void validate(const sdk::Config& config) { read_inter_pod_affinity_args(config); }
  void init(sdk::Host, const sdk::Config& config) override {
    args_ = read_inter_pod_affinity_args(config);
  }

 private:
  InterPodAffinityArgs args_;
  AffinityPreFilter pre_filter_;
  AffinityFilter filter_;
  AffinityPreScore pre_score_{args_};
  AffinityScore score_{args_};
};

}  // namespace berth::plugins
