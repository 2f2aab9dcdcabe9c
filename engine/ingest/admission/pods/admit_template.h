#pragma once

// Admission of templates in streams, as an API server would do for topology spread and inter-pod
// affinity. Pods can have own labels in addition to those of their template, so the template cannot
// be completed here: if the writer did not complete it, it is rejected. Internal to this module.

#include <optional>
#include <string>

#include "engine/ingest/admission/pods/match_label_keys.h"
#include "engine/ingest/stream/read/stream_decode.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

// Reports the first fault of the template to the decoder. All templates are validated as new pods,
// because pods with and without a node can share one.
void admit_template(const model::PodSpec& spec, ObjectDecoder& decoder);

// The problem of a pod's own labels, which take precedence over those of its template; nothing
// if there is none.
[[nodiscard]] std::optional<std::string> own_labels_problem(const model::PodSpec& spec,
                                                            const LabelOf& own);

}  // namespace berth::ingest
