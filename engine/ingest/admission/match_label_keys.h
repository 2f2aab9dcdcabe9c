#pragma once

// matchLabelKeys and mismatchLabelKeys, which name labels of the pod that has them: when an API
// server creates a pod, it writes what they come to into the label selectors beside them. Source:
// k8s.io/kubernetes pkg/registry/core/pod. Internal to this module.

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/ingest/admission/field_errors.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

// The value of a pod's label; nothing if it has none of that key.
using LabelOf = std::function<std::optional<std::string_view>(std::string_view key)>;

// Of pairs that are sorted by key.
template <typename Labels>
std::optional<std::string_view> label_of(const Labels& labels, std::string_view key) {
  const auto at = std::ranges::lower_bound(
      labels, key, {}, [](const auto& label) { return std::string_view(label.first); });
  if (at == labels.end() || at->first != key) return std::nullopt;
  return at->second;
}

// Adds the requirement `key op (value)` for each key that is a label, unless it is there already,
// as it is in what comes from an API server.
void merge_label_keys(const std::vector<std::string>& keys, const char* op, const LabelOf& label_of,
                      model::LabelSelector& selector);

// The same for all terms of pod affinity and anti-affinity. A term without a selector matches
// nothing, and stays as it is.
void merge_label_keys(const LabelOf& label_of, model::Affinity& affinity);

// Whether labels of its pods matter to it. Otherwise there is nothing to merge.
bool has_label_keys(const model::Affinity& affinity);

// The requirements that merging would add, each as an error of a field of the spec.
std::vector<FieldError> unmerged_label_keys(const model::Affinity& affinity,
                                            const LabelOf& label_of);

}  // namespace berth::ingest
