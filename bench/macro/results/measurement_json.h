#pragma once

#include <string>

#include "bench/macro/measure/measurement.h"

namespace berth::bench {

// One repetition as the members of a result (bench/README.md describes them), without what the
// repetition does not know: which workload and which variant it was.
std::string to_json(const Measurement& measurement);

}  // namespace berth::bench
