#pragma once

// Hints: pods that the pod's required terms match, and nodes that get another domain of one of
// their keys. Source: kube-scheduler interpodaffinity/plugin.go, isSchedulableAfterPodChange and
// isSchedulableAfterNodeChange.
//
// Rules of later versions, by their names at the host:
//   AffinityOwnLabels   other labels of the pod itself help: terms of placed pods may match no more
//   AffinityNominated   pods that are nominated to a node count as those that have one
//   AffinityBothWays    the end of a pod whose required anti-affinity matches the pod helps

#include <optional>
#include <vector>

#include "berth/sdk/sdk.hpp"
#include "berth/sdk/services/rules.hpp"

namespace berth::plugins {

struct AffinityHintState {
  struct Term {
    sdk::Slot<uint8_t> matches;  // event.matches:TERM, of the event's pod
    sdk::Slot<uint32_t> domain;  // node.domain:KEY, of the event's node; 0: it lacks the key
  };
  std::vector<Term> wanted;   // of the required affinity
  std::vector<Term> shunned;  // of the required anti-affinity
  bool malformed = false;     // a term cannot be parsed
};

class AffinityHints final : public sdk::Hints<AffinityHintState> {
 public:
  void init(sdk::Host host) override;
  uint32_t actions(uint32_t kind) const override;
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared,
               AffinityHintState& state) override;
  bool hint(const Call& call, const sdk::Event& event) const override;

 private:
  // True if a pod without a node changed, which keeps no other pod away from a node.
  bool concerns_nobody(const sdk::Event& event) const {
    return event.node() == 0 && !(nominated_ && event.nominated_node() != 0);
  }
  bool after_pod(const AffinityHintState& state, const sdk::Event& event) const;
  // True if the pod that is gone refused pods such as this one, or may have.
  bool was_shunned(const sdk::Event& event) const;
  // Asks for the columns of terms and keys, which are in step.
  std::vector<AffinityHintState::Term> read(sdk::Preparation& prepared,
                                            std::span<const uint32_t> terms,
                                            std::span<const uint32_t> keys) const;

  sdk::Strings strings_;
  sdk::Input<uint32_t> problem_{*this, "pod.pod_affinity_problem"};
  sdk::ListInput<uint32_t> affinity_terms_{*this, "pod.pod_affinity_terms"};
  sdk::ListInput<uint32_t> affinity_keys_{*this, "pod.pod_affinity_keys"};
  sdk::ListInput<uint32_t> anti_terms_{*this, "pod.pod_anti_affinity_terms"};
  sdk::ListInput<uint32_t> anti_keys_{*this, "pod.pod_anti_affinity_keys"};
  sdk::Family domains_{*this, "node.domain:*"};
  sdk::Family matches_{*this, "event.matches:*"};
  std::optional<sdk::Input<uint8_t>> shuns_;  // AffinityBothWays: of the event's pod
  bool own_labels_ = false, nominated_ = false;
};

}  // namespace berth::plugins
