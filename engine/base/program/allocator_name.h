#pragma once

#include <string>

namespace berth {

// The name and version of the memory allocator that the process uses, determined at run time, so a
// preloaded allocator is recognised.
std::string allocator_name();

}  // namespace berth
