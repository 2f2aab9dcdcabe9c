#pragma once

// Reads pods and pod templates into a pod, for their decoders. Internal to this module.

#include "engine/document/document.h"
#include "engine/ingest/objects/fields/field_reader.h"
#include "engine/ingest/objects/objects.h"
#include "engine/ingest/workloads/workload.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

// Reads the labels and the spec of a pod or a PodTemplateSpec. Faults are reported.
void read_pod_spec(const FieldReader& in, Defaults defaults, model::Pod& pod);

// True if a toleration has tolerationSeconds and is none of those that admission gives to pods.
bool tolerates_for_a_time(document::Value object);

// Reads what admission asks for. The object was read before without a fault.
PodAsked read_asked(document::Value object, Defaults defaults);

}  // namespace berth::ingest
