#pragma once

#include "engine/config/read/decode.h"
#include "engine/config/read/faults.h"

namespace berth::config {

// Checks a configuration with defaults filled in by kube-scheduler's rules. `root` is the document
// that it was read from, for the places of errors.
void validate(const Decoded& decoded, document::Value root, Faults& faults);

}  // namespace berth::config
