#pragma once

// matchLabelKeys and mismatchLabelKeys. They name labels of their own pod. When a pod is created,
// an API server adds the resulting requirements to the label selectors next to them. Source:
// k8s.io/kubernetes pkg/registry/core/pod. Internal to this module.

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/ingest/admission/field_errors.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

// Returns the value of a label of the pod, or nullopt.
using LabelOf = std::function<std::optional<std::string_view>(std::string_view key)>;

// Looks a label up in pairs sorted by key.
template <typename Labels>
std::optional<std::string_view> label_of(const Labels& labels, std::string_view key) {
  const auto at = std::ranges::lower_bound(
      labels, key, {}, [](const auto& label) { return std::string_view(label.first); });
  if (at == labels.end() || at->first != key) return std::nullopt;
  return at->second;
}

// Adds the requirement `key op (value)` for each key that is a label of the pod, unless it exists
// already, as it does in objects from an API server.
void merge_label_keys(const std::vector<std::string>& keys, const char* op, const LabelOf& label_of,
                      model::LabelSelector& selector);

// Does the same for all terms of pod affinity and anti-affinity. A term without a selector matches
// nothing and stays unchanged.
void merge_label_keys(const LabelOf& label_of, model::Affinity& affinity);

// True if a term has matchLabelKeys or mismatchLabelKeys. Otherwise there is nothing to merge.
bool has_label_keys(const model::Affinity& affinity);

// The requirements that merging would add, each as an error with its field.
[[nodiscard]] std::vector<FieldError> unmerged_label_keys(const model::Affinity& affinity,
                                                          const LabelOf& label_of);

}  // namespace berth::ingest
