#pragma once

// The checks that a kubelet makes before it starts a pod. Sources: k8s.io/kubernetes
// pkg/kubelet/lifecycle/predicate.go and the scheduler's plugins v1.36. The kubelet runs on linux.

#include <optional>
#include <string>
#include <vector>

#include "engine/base/saturate.h"
#include "engine/controllers/kubelet/admission/starting_pod.h"
#include "engine/controllers/kubelet/refusal.h"
#include "engine/model/columns/strings.h"
#include "engine/model/selectors/node_selectors.h"

namespace berth::controllers::kubelet {

// A resource of which the node has too little: cpu in thousandths, else units.
struct Shortage {
  std::string resource;
  int64_t requested = 0, used = 0, capacity = 0;

  int64_t missing() const { return saturating_sum(requested, used - capacity); }
};

Refusal refusal_for(const Shortage& shortage);

struct PredicateFailures {
  // Nothing that stops other pods can help, and nothing else was looked at.
  std::optional<Refusal> unsupported;
  std::vector<Shortage> shortages;  // pods, cpu, memory, ephemeral-storage, then by name
  std::vector<Refusal> others;

  bool none() const { return !unsupported && shortages.empty() && others.empty(); }
};

// One thread.
class Predicates {
 public:
  // `others`: the pods that run on the node.
  PredicateFailures check(const NodeFacts& node, const StartingPod& pod,
                          const std::vector<const StartingPod*>& others);

 private:
  bool matches_affinity(const NodeFacts& node, const model::PodSpec& pod);

  model::Strings strings_;
  model::NodeSelectors selectors_{strings_};
};

}  // namespace berth::controllers::kubelet
