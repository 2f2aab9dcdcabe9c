#pragma once

// Selectors, node affinity and tolerations, parsed and matched in the simplest way. Sources:
// apimachinery labels/selector.go and meta/v1 helpers.go, component-helpers scheduling/corev1, api
// core/v1 toleration.go.

#include <optional>
#include <string>
#include <vector>

#include "tests/properties/brute_force/brute_force.h"

namespace berth::tests::brute {

// A labels.Selector. With `nothing` it matches no labels, whatever is added.
struct Selector {
  bool nothing = false;
  std::vector<model::Requirement> requirements;

  bool empty() const { return !nothing && requirements.empty(); }
  bool matches(const model::StringMap& labels) const;
  void add(const std::vector<model::Requirement>& more);
  void add_labels(const model::StringMap& labels);
};

// Sets `problem` if the selector is malformed, otherwise leaves it unchanged.
Selector parse(const std::optional<model::LabelSelector>& selector, std::string& problem);

// True if the node meets the pod's node selector and required node affinity.
bool matches_required(const model::PodSpec& spec, const model::Node& node);
// True if the pod tolerates every NoSchedule and NoExecute taint of the node.
bool tolerates(const model::PodSpec& spec, const model::Node& node);

}  // namespace berth::tests::brute
