#pragma once

// The end of a pod's containers by themselves, as annotations say it:
//
//   berth/runs-for: 1h30m    # from its binding; Go's durations
//   berth/exit-code: "3"     # 0 if it is absent: the pod succeeds, else it fails

#include <cstdint>

#include "engine/ingest/objects/fields/field_reader.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

inline constexpr char kRunsFor[] = "berth/runs-for", kExitCode[] = "berth/exit-code";

// Null: containers may run for so long, and end so. Else what was expected.
const char* problem_of_run(int64_t nanoseconds, int64_t exit_code);

// Reads the annotations; faults are reported. Pods without them cost a look at each.
void read_run(const FieldReader& annotations, model::PodSpec& spec);

}  // namespace berth::ingest
