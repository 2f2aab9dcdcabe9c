#pragma once

// The tolerations that admission plugins of an API server add to a pod that is created. Sources:
// k8s.io/kubernetes plugin/pkg/admission/defaulttolerationseconds and extendedresourcetoleration.

#include <array>
#include <cstdint>
#include <string_view>

#include "engine/model/objects/objects.h"

namespace berth::ingest {

// A pod tolerates a node with one of these taints for 300 seconds, if it does not say how long.
inline constexpr std::array<std::string_view, 2> kToleratedForAWhile = {
    "node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"};
inline constexpr int64_t kTolerationSeconds = 300;

// Adds the toleration if the pod does not have it.
void add_toleration(const model::Toleration& toleration, model::PodSpec& spec);
// Adds those of kToleratedForAWhile. The model has no seconds: no decision depends on them.
void tolerate_for_a_while(model::PodSpec& spec);
// Adds a toleration for each extended resource that containers request: nodes that have such a
// resource are often reserved by a taint of its name.
void tolerate_requested(model::PodSpec& spec);

}  // namespace berth::ingest
