#pragma once

// The decision whether a pod that is bound to a node starts, and which pods are stopped for it.

#include <optional>
#include <vector>

#include "engine/controllers/conditions.h"
#include "engine/controllers/kubelet/admission/predicates.h"

namespace berth::controllers::kubelet {

struct PodStart {
  std::optional<Refusal> refusal;       // nothing: the pod starts
  std::vector<const Pod*> preempted{};  // of `others`; only if the pod starts
};

// A pod that is refused has the phase Failed and this text before the message of its refusal.
inline constexpr std::string_view kRejected = "Pod was rejected: ";

// The status of a pod that is stopped for a critical one; its phase is Failed. It has its own grace
// period.
inline constexpr std::string_view kPreempting = "Preempting";
inline constexpr std::string_view kPreempted = "Preempted in order to admit critical pod";
Condition preempted_condition(Time now);

PodStart decide_start(Predicates& predicates, const NodeFacts& node, const StartingPod& pod,
                      const std::vector<const StartingPod*>& others);

}  // namespace berth::controllers::kubelet
