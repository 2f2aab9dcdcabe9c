#pragma once

// The level of standard_log() (services.h).

#include <cstdint>

namespace berth::host {

// Messages of a higher BERTH_LOG_ level are dropped; BERTH_LOG_INFO at the start. To be called
// before instances of plugins are made, which copy the level. Requires a BERTH_LOG_ level.
void set_standard_log_level(uint32_t level);

}  // namespace berth::host
