#pragma once

// Which pods a kubelet stops so that a critical pod can start. Source: k8s.io/kubernetes
// pkg/kubelet/preemption v1.36.

#include <string>
#include <variant>
#include <vector>

#include "engine/controllers/kubelet/admission/predicates.h"

namespace berth::controllers::kubelet {

// The pods to stop, in order, or why there are not enough.
using Preemption = std::variant<std::vector<const Pod*>, std::string>;

// Guaranteed pods are stopped only for what all others together would not free, and Burstable ones
// for what all BestEffort ones would not. Within a class the pod goes first whose requests come
// closest to what is missing; of equal ones the one with the smaller requests, and the later one.
Preemption pods_to_preempt(const Pod& critical, const std::vector<const Pod*>& running,
                           const std::vector<Shortage>& shortages);

}  // namespace berth::controllers::kubelet
