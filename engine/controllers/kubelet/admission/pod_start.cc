#include "engine/controllers/kubelet/admission/pod_start.h"

#include <string>
#include <utility>

#include "engine/controllers/kubelet/admission/preemption.h"
#include "engine/controllers/kubelet/pod/pod_rules.h"

namespace berth::controllers::kubelet {
namespace {

PodStart stop_others(const StartingPod& pod, const std::vector<const StartingPod*>& others,
                     const std::vector<Shortage>& shortages) {
  std::vector<const Pod*> running;
  for (const StartingPod* other : others) running.push_back(&other->pod);
  Preemption preemption = pods_to_preempt(pod.pod, running, shortages);
  if (auto* pods = std::get_if<std::vector<const Pod*>>(&preemption))
    return {std::nullopt, std::move(*pods)};
  return {Refusal{"UnexpectedAdmissionError",
                  "Unexpected error while attempting to recover from admission failure: "
                  "preemption: error finding a set of pods to preempt: " +
                      std::get<std::string>(preemption)}};
}

}  // namespace

Condition preempted_condition(Time now) {
  return {"DisruptionTarget", "True", "TerminationByKubelet",
          "Pod was preempted by Kubelet to accommodate a critical pod.", now};
}

// A critical pod is refused for other reasons than resources, and these are what is said then.
PodStart decide_start(Predicates& predicates, const NodeFacts& node, const StartingPod& pod,
                      const std::vector<const StartingPod*>& others) {
  const PredicateFailures failures = predicates.check(node, pod, others);
  if (failures.none()) return {std::nullopt};
  if (failures.unsupported) return {failures.unsupported};
  if (is_critical(pod.pod)) {
    if (!failures.others.empty()) return {failures.others.front()};
    return stop_others(pod, others, failures.shortages);
  }
  if (!failures.shortages.empty()) return {refusal_for(failures.shortages.front())};
  return {failures.others.front()};
}

}  // namespace berth::controllers::kubelet
