#pragma once

// Validates the fields that topology spread and inter-pod affinity read, as an API server does; a
// scheduler never sees pods that fail it. Source: k8s.io/kubernetes v1.34.1
// pkg/apis/core/validation, with the default feature gates.

#include <cstdint>
#include <vector>

#include "engine/ingest/admission/field_errors.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

enum class Strictness : uint8_t {
  kCreated,  // validate as a new pod
  // Validate as a pod that some API server accepted earlier: selectors of affinity terms and
  // topology spread may contain values that older servers accepted.
  kExisting,
};

// Returns the errors, without duplicates, in the API server's order; at most FieldErrors::kMost.
// Requires: matchLabelKeys and mismatchLabelKeys of affinity terms are merged (match_label_keys.h),
// or are not to be validated.
//
// Label keys of topology spread constraints need not be merged, because a scheduler evaluates them
// itself. An API server validates them as if merged, and so does this function, with the given
// labels.
[[nodiscard]] std::vector<FieldError> validate_pod(const model::PodSpec& spec,
                                                   const model::StringMap& labels,
                                                   Strictness strictness);

}  // namespace berth::ingest
