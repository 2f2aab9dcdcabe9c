#pragma once

#include "engine/config/read/decode.h"
#include "engine/config/read/faults.h"

namespace berth::config {

// kube-scheduler's rules for a configuration with its defaults in it. `root` is where it was read
// from, for the places of what is wrong.
void validate(const Decoded& decoded, document::Value root, Faults& faults);

}  // namespace berth::config
