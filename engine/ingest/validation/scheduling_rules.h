#pragma once

// The API server's rules for what new pods ask of nodes, and for the taints of new nodes. Pod
// affinity and topology spread are validated in admission/pods/validate_pod.h. Internal to this
// module.

#include <string>
#include <vector>

#include "engine/document/document.h"
#include "engine/ingest/admission/field_errors.h"
#include "engine/ingest/objects/objects.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

// Each adds the errors of a field at the current place of `errors`, which is the spec.

// `field`: the list of them.
void check_tolerations(const std::vector<model::Toleration>& tolerations, Validation by,
                       FieldErrors& errors, const char* field = "tolerations");
void check_node_affinity(const model::Affinity& affinity, FieldErrors& errors);
void check_scheduling_gates(const std::vector<std::string>& gates, FieldErrors& errors);
void check_taints(const std::vector<model::Taint>& taints, FieldErrors& errors);

// The features that a node declares, at its status. From 1.36 on.
void check_declared_features(const std::vector<std::string>& features, FieldErrors& errors);

}  // namespace berth::ingest
