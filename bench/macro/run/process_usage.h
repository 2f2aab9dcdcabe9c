#pragma once

// What this process takes, as the kernel counts it.

#include <cstdint>

namespace berth::bench {

uint64_t resident_bytes();
uint64_t peak_resident_bytes();

struct CpuSeconds {
  double user = 0, system = 0;
};
CpuSeconds cpu_seconds();              // all threads of this process
CpuSeconds cpu_seconds_of_children();  // that were waited for

}  // namespace berth::bench
