#pragma once

// Inter-pod affinity and anti-affinity (kube-scheduler v1.34.1, plugins/interpodaffinity).
//
// The host counts pods in both directions: with queries for the terms of the pod being scheduled,
// and with sums over the terms that placed pods carry. Placing a pod costs one step for each query
// whose terms it matches, and one for each of its own terms. It invalidates the answers of the
// nodes in the pod's domains (with key hostname: of its own node). For pods that match their own
// required affinity it invalidates the answers of all nodes, because the first pod of a group may
// go where no other is.

#include "berth/sdk/sdk.hpp"
#include "berth/sdk/services/signing.hpp"
#include "plugins/inter_pod_affinity/args.h"
#include "plugins/inter_pod_affinity/filter.h"
#include "plugins/inter_pod_affinity/hints.h"
#include "plugins/inter_pod_affinity/score.h"

namespace berth::plugins {

class InterPodAffinity final : public sdk::Plugin {
 public:
  InterPodAffinity() { add(pre_filter_, filter_, pre_score_, score_, hints_); }

  static void validate(const sdk::Config& config) { read_inter_pod_affinity_args(config); }
  // Preferred terms of other pods concern the pod by its labels. Required ones do, too, which
  // kube-scheduler leaves out of account.
  void init(sdk::Host host, const sdk::Config& config) override {
    args_ = read_inter_pod_affinity_args(config);
    sdk::decides_by(host, args_.ignore_preferred_terms_of_existing_pods ? 0 : BERTH_PART_LABELS,
                    BERTH_PART_POD_AFFINITY);
  }

 private:
  InterPodAffinityArgs args_;
  AffinityPreFilter pre_filter_;
  AffinityFilter filter_;
  AffinityPreScore pre_score_{args_};
  AffinityScore score_{args_};
  AffinityHints hints_;
};

}  // namespace berth::plugins
