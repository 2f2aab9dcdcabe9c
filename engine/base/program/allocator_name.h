#pragma once

#include <string>

namespace berth {

// The allocator at work and its version, whichever answers at run time: a preloaded one counts.
std::string allocator_name();

}  // namespace berth
