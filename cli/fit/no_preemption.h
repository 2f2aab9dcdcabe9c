#pragma once

#include "engine/config/config.h"

namespace berth::cli {

// No pod leaves for another: PostFilter plugins are not asked once no node takes a pod.
void forbid_preemption(config::Configuration& configuration);

}  // namespace berth::cli
