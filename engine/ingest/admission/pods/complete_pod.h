#pragma once

// Admission of a pod, as an API server does for topology spread and inter-pod affinity: completes
// the pod, or rejects it. Internal to this module.

#include "engine/document/document.h"
#include "engine/ingest/objects/fields/field_reader.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

// Completes `pod`, which was decoded from `object`, and reports faults, except at fields of which
// one was reported before. A pod with a node was accepted by an API server before, possibly an
// older one.
void complete_pod(document::Value object, model::Pod& pod, Faults& faults);

}  // namespace berth::ingest
