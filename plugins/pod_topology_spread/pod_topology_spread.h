#pragma once

// Spreads pods that belong together evenly over the domains of a topology (kube-scheduler v1.34.1,
// plugins/podtopologyspread).
//
// The host counts pods: one query per constraint, over the nodes that take part. Placing a pod
// costs one step for each query whose selector it matches. It invalidates the answers of the nodes
// in its domain (with key hostname: of its own node). For a hard constraint, a change of the
// minimum over the domains, or of their number, invalidates the answers of all nodes.

#include "berth/sdk/sdk.hpp"
#include "berth/sdk/services/signing.hpp"
#include "plugins/pod_topology_spread/args.h"
#include "plugins/pod_topology_spread/filter.h"
#include "plugins/pod_topology_spread/hints.h"
#include "plugins/pod_topology_spread/score.h"

namespace berth::plugins {

class PodTopologySpread final : public sdk::Plugin {
 public:
  PodTopologySpread() { add(pre_filter_, filter_, pre_score_, score_, hints_); }

  static void validate(const sdk::Config& config) { read_spread_args(config); }
  // With default constraints, what pods there are decides about each pod.
  void init(sdk::Host host, const sdk::Config& config) override {
    args_ = read_spread_args(config);
    if (args_.constraints.empty()) sdk::decides_by(host, 0, BERTH_PART_SPREAD_CONSTRAINTS);
  }

 private:
  SpreadArgs args_;
  WeightsByTemplate weights_;
  SpreadPreFilter pre_filter_{args_};
  SpreadFilter filter_{args_};
  SpreadPreScore pre_score_{args_, weights_};
  SpreadScore score_{args_, weights_};
  SpreadHints hints_{args_};
};

}  // namespace berth::plugins
