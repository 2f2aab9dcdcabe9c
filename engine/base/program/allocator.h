#pragma once

#include <string>

namespace berth {

// The name and version of the memory allocator that the process uses, determined at run time, so a
// preloaded allocator is recognised.
std::string allocator_name();

// Lets mimalloc ask the kernel for large pages where they are to be had: new memory then costs a
// fault for each 2 MiB instead of each 4 KiB. The environment variable MIMALLOC_LARGE_OS_PAGES=0
// prevents it. No effect with other allocators. To be called before memory is used in quantity.
void use_large_pages();

}  // namespace berth
