#pragma once

// What an API server refuses in a pod, of the fields that topology spread and inter-pod affinity
// read: a scheduler never sees such a pod. Source: k8s.io/kubernetes v1.34.1
// pkg/apis/core/validation, with the feature gates as they are by default.

#include <cstdint>
#include <vector>

#include "engine/ingest/admission/field_errors.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

enum class Strictness : uint8_t {
  kCreated,  // as a pod is when it comes
  // As a pod is that an API server took at some time: values in selectors of affinity terms may be
  // ones that older servers let pass, and so may the selectors of topology spread.
  kExisting,
};

// All that is wrong, each once, in the order in which an API server says it; at most
// FieldErrors::kMost. Requires: matchLabelKeys and mismatchLabelKeys of affinity terms are merged
// (match_label_keys.h), or are not to be looked at.
//
// Label keys of topology spread constraints need not be merged, for a scheduler reads them itself.
// An API server judges them as they are when they are, and so does this with the labels given.
std::vector<FieldError> validate_pod(const model::PodSpec& spec, const model::StringMap& labels,
                                     Strictness strictness);

}  // namespace berth::ingest
