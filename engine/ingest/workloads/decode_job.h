#pragma once

// Reads what says when a Job ends. Internal to this module.

#include <string>

#include "engine/ingest/objects/fields/field_reader.h"
#include "engine/model/objects/workload.h"

namespace berth::ingest {

// Reads the part of a Job's spec that its controller heeds when pods fail. Faults are reported.
// Returns the path of a field with which the Job cannot be played, as spec.NAME; empty: none.
// `value`: the spec.
std::string read_job_end(const FieldReader& spec, document::Value value, model::JobSpec& job);

}  // namespace berth::ingest
