#pragma once

// Finds a node that can run the pod once some pods of lower priority are evicted, and the least
// harmful such eviction (kube-scheduler v1.34.1, plugins/defaultpreemption and
// framework/preemption).

#include <span>
#include <string>
#include <vector>

#include "berth/sdk/sdk.hpp"
#include "plugins/default_preemption/args.h"
#include "plugins/default_preemption/dry_run.h"
#include "plugins/default_preemption/kept_runs.h"

namespace berth::plugins {

// The hook. Gets the refused nodes with their codes and answers with the node that the pod is
// nominated to and the handles of the victims; or UNSCHEDULABLE with the reason why nothing can be
// done; or ERROR. A node whose code is UNSCHEDULABLE_AND_UNRESOLVABLE is not tried.
//
// Dry runs go over several nodes at once (parallel service), but the result depends on their order
// alone: they begin at an offset that the host draws, and end with enough candidates. A dry run
// whose node did not change since the last pod of the kind is not repeated (KeptRuns).
class Preemption final : public sdk::PostFilter<> {
 public:
  explicit Preemption(const DefaultPreemptionArgs& args) : args_(args) {}

  void init(sdk::Host host) override;
  void post_filter(const Call& call, std::span<const uint8_t> codes, uint64_t draw,
                   berth_nomination& nomination) const override;

 private:
  // The result of the dry runs of all potential nodes.
  struct Search {
    std::vector<const Candidate*> candidates;
    // Why the others are none, in case there is no candidate: nodes without a pod to evict, and
    // nodes by the list of reasons that their dry runs gave.
    size_t without_victims = 0;
    std::vector<size_t> refused;
    std::vector<std::string> errors;
  };

  // Why the pod may not preempt; empty: it may.
  // That is so for the policy Never, and while a victim of an earlier preemption still terminates
  // on the nominated node.
  std::string_view not_eligible(const Call& call, std::span<const uint8_t> codes) const;
  // Tries the potential nodes from the drawn offset on.
  Search search(const Call& call, std::span<const uint8_t> codes, uint64_t draw) const;
  // Makes the dry runs of these nodes, on several threads.
  void try_nodes(const Call& call, std::span<const size_t> nodes) const;
  // Enters the dry run of a node in `found`, or in the refusals or errors of `search`.
  void take(const Call& call, size_t node, CandidateList& found, Search& search) const;
  // The text of a search that found no candidate.
  std::string explain(const Call& call, const Search& search) const;
  // Lets extenders change the candidates; `changed` backs those that they leave. False, with the
  // answer, if that ends the preemption.
  bool ask_extenders(const Call& call, std::vector<const Candidate*>& candidates,
                     std::vector<Candidate>& changed, berth_nomination& nomination) const;
  // Answers with the candidate. Victims stay valid until the next call.
  void nominate(const Call& call, const Candidate& candidate, berth_nomination& nomination) const;

  const DefaultPreemptionArgs& args_;
  sdk::Strings strings_;
  sdk::WhatIfs what_ifs_;
  sdk::Parallel parallel_;
  sdk::PreemptExtenders extenders_;
  uint32_t never_ = 0;                     // string id of the policy "Never"
  mutable std::vector<uint64_t> victims_;  // of the last nomination
  mutable KeptRuns runs_;
  mutable std::vector<size_t> batch_, stale_;  // nodes of a search that goes on

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
