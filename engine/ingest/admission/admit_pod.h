#pragma once

// What an API server does with a pod before a scheduler sees it, for topology spread and inter-pod
// affinity: it completes the pod, and refuses what cannot be. Internal to this module.

#include "engine/document/document.h"
#include "engine/ingest/objects/field_reader.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

// A pod that was read from `object`, without a fault. One that has a node was taken by an API
// server already, maybe by an older one.
void admit_pod(document::Value object, model::Pod& pod, Faults& faults);

}  // namespace berth::ingest
