#pragma once

// The memory allocator of the process, which is found at run time: it may be a sanitizer's, or one
// that is preloaded.
//
// The kernel takes one to twelve microseconds for a page of 4 KiB that is new, the time of several
// decisions, and a pod that arrives needs a tenth of one. A page of 2 MiB takes a tenth to a
// fiftieth of that for the same bytes. So a program that schedules has large pages for all memory,
// where the system has them.

#include <string>

namespace berth {

// Its name and version, and whether it asks for large pages: "mimalloc 2.0.9, large pages".
std::string allocator_name();

// Makes mimalloc ask the kernel for pages of 2 MiB, for the memory that it takes from now on and
// for the memory that it took to start the process. It gives back arrays of 16 MiB or more, and
// nothing else: what is freed serves later allocations. Whoever sets MIMALLOC_LARGE_OS_PAGES
// chooses otherwise. Without effect for another allocator, or where the kernel gives no such pages.
// Call it once, before other threads exist.
void ask_for_large_pages();

// In a child process after fork(): takes copies of the memory that the process had when it asked
// for large pages. Else each page is copied when it is first written, which takes as long as dozens
// of decisions.
void take_heap_after_fork();

// Gives memory to pages that the heap and columns will use next, on a thread of its own
// (pages_ahead.h), as long as the process lives. Without effect where ask_for_large_pages() had
// none, and on a single core. Call it once, after that function; in a child after
// take_heap_after_fork().
void prepare_pages_ahead();

}  // namespace berth
