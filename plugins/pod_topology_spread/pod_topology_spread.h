#pragma once

// Pods that belong together are spread evenly over the domains of a topology.
//
// Counting is the host's: a query for each constraint over the nodes that take part. A pod that is
// placed costs one step in each query whose selector it matches, and makes the answers of the nodes
// in its own domain stale (by hostname: of its own node); of a hard constraint those of all nodes
// when the minimum over the domains changes, or their number.

#include "berth/sdk/sdk.hpp"
#include "plugins/pod_topology_spread/args.h"
#include "plugins/pod_topology_spread/filter.h"
#include "plugins/pod_topology_spread/score.h"

namespace berth::plugins {

class PodTopologySpread final : public sdk::Plugin {
 public:
  PodTopologySpread() { add(pre_filter_, filter_, pre_score_, score_); }

  static void validate(const sdk::Config& config) { read_spread_args(config); }
  void init(sdk::Host, const sdk::Config& config) override { args_ = read_spread_args(config); }

 private:
  SpreadArgs args_;
  WeightsByTemplate weights_;
  SpreadPreFilter pre_filter_{args_};
  SpreadFilter filter_{args_};
  SpreadPreScore pre_score_{args_, weights_};
  SpreadScore score_{args_, weights_};
};

}  // namespace berth::plugins
