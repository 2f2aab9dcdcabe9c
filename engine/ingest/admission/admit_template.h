#pragma once

// What an API server does with pods before a scheduler sees them, for topology spread and inter-pod
// affinity, of templates of streams. Pods may have labels of their own besides those of their
// template, so it cannot be completed here: what its writer did not do is refused. Internal to this
// module.

#include <string>

#include "engine/ingest/admission/match_label_keys.h"
#include "engine/ingest/stream/stream_decode.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

// The template in hand. All are judged as new pods are, for pods with and without a node may share
// one.
void admit_template(const model::PodSpec& spec, ObjectDecoder& decoder);

// What is wrong with labels of a pod's own, which stand over those of its template; empty: nothing.
std::string own_labels_problem(const model::PodSpec& spec, const LabelOf& own);

}  // namespace berth::ingest
