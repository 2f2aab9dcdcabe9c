#pragma once

// The claims of generic ephemeral volumes, as the controller of these makes them.

#include <vector>

#include "engine/ingest/workloads/workload.h"
#include "engine/model/objects/objects.h"
#include "engine/model/objects/volume_objects.h"

namespace berth::ingest {

// The claims of a pod that is created here: one for each ephemeral volume with a template, called
// POD-VOLUME, whose managing owner is the pod. A pod without a UID gets one, which follows from its
// name, as do those of the claims.
std::vector<model::PersistentVolumeClaim> ephemeral_claims(model::Pod& pod, const PodAsked& asked);

// True for a claim that ephemeral_claims() made.
bool is_ephemeral_claim(const model::PersistentVolumeClaim& claim);

}  // namespace berth::ingest
