#pragma once

// Hints: pods that the pod's required terms match, and nodes that get another domain of one of
// their keys. As in kube-scheduler, terms that placed pods carry are not looked at. Source:
// kube-scheduler interpodaffinity/plugin.go, isSchedulableAfterPodChange and
// isSchedulableAfterNodeChange.

#include <vector>

#include "berth/sdk/sdk.hpp"

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
  void init(sdk::Host host) override { strings_ = sdk::Strings(host); }
  uint32_t actions(uint32_t kind) const override;
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared,
               AffinityHintState& state) override;
  bool hint(const Call& call, const sdk::Event& event) const override;

 private:
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
};

}  // namespace berth::plugins
