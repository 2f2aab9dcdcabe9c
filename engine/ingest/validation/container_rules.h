#pragma once

// The API server's rules for the containers of new pods, without what scheduling does not read:
// images, commands, environments, probes and volume mounts. Internal to this module.

#include "engine/document/document.h"
#include "engine/ingest/admission/field_errors.h"
#include "engine/ingest/objects/objects.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

// `in`: the object's spec, from which `spec` was read, at the current place of `errors`.
void check_containers(const model::PodSpec& spec, document::Value in, Validation by,
                      FieldErrors& errors);

}  // namespace berth::ingest
