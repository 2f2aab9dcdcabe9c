#include "bench/macro/run/process_usage.h"

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

#include "engine/base/memory/pages_ahead.h"

namespace berth::bench {
namespace {

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

CpuSeconds cpu_of(int who) {
  rusage usage{};
  getrusage(who, &usage);
  return {seconds_of(usage.ru_utime), seconds_of(usage.ru_stime)};
}

}  // namespace

uint64_t resident_bytes() {
  uint64_t total = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) -
         PagesAhead::of_process().unused_bytes();
}

uint64_t peak_resident_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

CpuSeconds cpu_seconds() { return cpu_of(RUSAGE_SELF); }
CpuSeconds cpu_seconds_of_children() { return cpu_of(RUSAGE_CHILDREN); }

}  // namespace berth::bench
