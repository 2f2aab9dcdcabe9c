#pragma once

// Memory and CPU time of this process, as reported by the kernel.

#include <cstdint>

namespace berth::bench {

// Current and highest resident set size; the current one without pages that were prepared ahead
// (engine/base/memory/pages_ahead.h) and that nobody has used yet.
uint64_t resident_bytes();
uint64_t peak_resident_bytes();

struct CpuSeconds {
  double user = 0, system = 0;
};
CpuSeconds cpu_seconds();              // all threads of this process
CpuSeconds cpu_seconds_of_children();  // of children that have ended and were waited for

}  // namespace berth::bench
