#pragma once

// A pod's nodeSelector and node affinity, and the affinity that the configuration adds to every pod
// (kube-scheduler v1.34.1, plugins/nodeaffinity). The host matches selectors; this plugin combines
// the match columns.

#include "berth/sdk/sdk.hpp"
#include "berth/sdk/services/signing.hpp"
#include "plugins/node_affinity/args.h"
#include "plugins/node_affinity/filter.h"
#include "plugins/node_affinity/hints.h"
#include "plugins/node_affinity/score.h"

namespace berth::plugins {

class NodeAffinity final : public sdk::Plugin {
 public:
  NodeAffinity() { add(pre_filter_, filter_, pre_score_, score_, hints_); }

  static void validate(const sdk::Config& config) { check_affinity_args(config); }
  void init(sdk::Host host, const sdk::Config& config) override {
    args_ = read_affinity_args(config, sdk::Selectors(host));
    sdk::decides_by(host, BERTH_PART_NODE_SELECTION);
  }

 private:
  AffinityArgs args_;
  AffinityPreFilter pre_filter_{args_};
  AffinityFilter filter_{args_};
  AffinityPreScore pre_score_{args_};
  AffinityScore score_{args_};
  AffinityHints hints_{args_};
};

}  // namespace berth::plugins
