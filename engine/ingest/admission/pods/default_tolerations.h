#pragma once

// The tolerations that admission plugins of an API server add to a pod that is created, and how
// lists of them are joined. Sources: k8s.io/kubernetes
// plugin/pkg/admission/defaulttolerationseconds and extendedresourcetoleration,
// pkg/util/tolerations.

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/model/objects/objects.h"

namespace berth::ingest {

// A pod tolerates a node with one of these taints for 300 seconds, if it does not say how long.
inline constexpr std::array<std::string_view, 2> kToleratedForAWhile = {
    "node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"};
inline constexpr int64_t kTolerationSeconds = 300;

// Replaces tolerations that differ at most in their seconds, or else appends it.
void add_toleration(const model::Toleration& toleration, std::vector<model::Toleration>& list);
// Adds those of kToleratedForAWhile.
void tolerate_for_a_while(model::PodSpec& spec);
// Adds a toleration for each extended resource that containers request: nodes that have such a
// resource are often reserved by a taint of its name.
void tolerate_requested(model::PodSpec& spec);

// True if every taint that `of` tolerates is tolerated by `by`, and for no shorter time.
bool covers(const model::Toleration& by, const model::Toleration& of);
// Both lists, without those that another one covers. Of equal ones the first stays.
std::vector<model::Toleration> merged_tolerations(std::vector<model::Toleration> first,
                                                  const std::vector<model::Toleration>& second);

}  // namespace berth::ingest
