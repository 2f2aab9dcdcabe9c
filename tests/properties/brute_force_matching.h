#pragma once

// Selectors, node affinity and tolerations, read and matched the plain way. Sources: apimachinery
// labels/selector.go and meta/v1 helpers.go, component-helpers scheduling/corev1, api core/v1
// toleration.go.

#include <optional>
#include <string>
#include <vector>

#include "tests/properties/brute_force.h"

namespace berth::tests::brute {

// A labels.Selector. Nothing matches no labels at all and stays that way.
struct Selector {
  bool nothing = false;
  std::vector<model::Requirement> requirements;

  bool empty() const { return !nothing && requirements.empty(); }
  bool matches(const model::StringMap& labels) const;
  void add(const std::vector<model::Requirement>& more);
  void add_labels(const model::StringMap& labels);
};

// What is wrong with it goes to `problem`, which else is left alone.
Selector parse(const std::optional<model::LabelSelector>& selector, std::string& problem);

// The pod's node selector and required node affinity.
bool matches_required(const model::PodSpec& spec, const model::Node& node);
// Every taint that keeps pods out.
bool tolerates(const model::PodSpec& spec, const model::Node& node);

}  // namespace berth::tests::brute
