#pragma once

// Finds a node that can run the pod once some pods of lower priority are evicted, and the least
// harmful such eviction (kube-scheduler v1.34.1, plugins/defaultpreemption and
// framework/preemption).

#include <map>
#include <span>
#include <string>
#include <vector>

#include "berth/sdk/sdk.hpp"
#include "plugins/default_preemption/args.h"
#include "plugins/default_preemption/dry_run.h"

namespace berth::plugins {

// The hook. Gets the refused nodes with their codes and answers with the node that the pod is
// nominated to and the handles of the victims; or UNSCHEDULABLE with the reason why nothing can be
// done; or ERROR. A node whose code is UNSCHEDULABLE_AND_UNRESOLVABLE is not tried.
//
// Dry runs go over several nodes at once (parallel service), but the result depends on their order
// alone: they begin at an offset that the host draws, and end with enough candidates.
class Preemption final : public sdk::PostFilter<> {
 public:
  explicit Preemption(const DefaultPreemptionArgs& args) : args_(args) {}

  void init(sdk::Host host) override;
  void post_filter(const Call& call, std::span<const uint8_t> codes, uint64_t draw,
                   berth_nomination& nomination) const override;

 private:
  // The result of the dry runs of all potential nodes.
  struct Search {
    std::vector<Candidate> candidates;
    // How often each reason was given, and by how many nodes, in case there is no candidate.
    std::map<std::string, size_t> reasons;
    size_t explained = 0;
    std::vector<std::string> errors;
  };

  // Why the pod may not preempt; empty: it may.
  // That is so for the policy Never, and while a victim of an earlier preemption still terminates
  // on the nominated node.
  std::string_view not_eligible(const Call& call, std::span<const uint8_t> codes) const;
  // Tries the potential nodes from the drawn offset on.
  Search search(const Call& call, std::span<const uint8_t> codes, uint64_t draw) const;
  void try_nodes(const Call& call, const std::vector<size_t>& nodes, size_t wanted,
                 Search& search) const;
  // Enters the result of one dry run in `found`, or in the reasons or errors of `search`.
  void take(const Call& call, DryRun& run, size_t node, CandidateList& found, Search& search) const;
  // Lets extenders change the candidates. False, with the answer, if that ends the preemption.
  bool ask_extenders(const Call& call, std::vector<Candidate>& candidates,
                     berth_nomination& nomination) const;
  // Answers with the candidate. Victims stay valid until the next call.
  void nominate(const Call& call, const Candidate& candidate, berth_nomination& nomination) const;

  const DefaultPreemptionArgs& args_;
  sdk::Strings strings_;
  sdk::WhatIfs what_ifs_;
  sdk::Parallel parallel_;
  sdk::PreemptExtenders extenders_;
  uint32_t never_ = 0;                     // string id of the policy "Never"
  mutable std::vector<uint64_t> victims_;  // of the last nomination

  sdk::Input<uint32_t> row_{*this, "node.row"};
  sdk::Input<uint32_t> name_{*this, "node.name"};
  sdk::Input<int64_t> lowest_priority_{*this, "node.lowest_priority"};
  sdk::Input<uint32_t> policy_{*this, "pod.preemption_policy"};
  sdk::Input<uint32_t> nominated_node_{*this, "pod.nominated_node"};
  sdk::Input<int64_t> allowed_{*this, "budget.allowed"};
  sdk::Input<int64_t> priority_{*this, "pod.priority"};
  PlacedPods placed_{*this};
};

class DefaultPreemption final : public sdk::Plugin {
 public:
  DefaultPreemption() { add(preemption_); }

  static void validate(const sdk::Config& config) { read_default_preemption_args(config); }
  void init(sdk::Host, const sdk::Config& config) override {
    args_ = read_default_preemption_args(config);
  }

 private:
  DefaultPreemptionArgs args_;
  Preemption preemption_{args_};
};

}  // namespace berth::plugins
