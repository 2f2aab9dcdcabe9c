#pragma once

#include <cstdint>
#include <string_view>

#include "berth/abi/clock.h"

namespace berth::host {

const berth_clock_service& clock_service();
const berth_random_service& random_service();

// The part of a plugin's random numbers that is the same for the whole run (HostServices).
uint64_t random_key(uint64_t seed, std::string_view plugin);
// Number `stream` of the sequence of splitmix64 from `state` on.
uint64_t random_bits(uint64_t state, uint64_t stream);

}  // namespace berth::host
