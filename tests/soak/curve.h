#pragma once

// Memory over the pods that were played, and whether it levels off.

#include <cstdint>
#include <string>
#include <vector>

namespace berth::soak {

struct Sample {
  uint64_t pods = 0;   // added when it was taken
  uint64_t bytes = 0;  // resident then
};

struct Verdict {
  // The largest samples, in bytes, of the second, third and fourth quarter of the pods. The first
  // one fills what stays.
  uint64_t second = 0, third = 0, fourth = 0;
  double bytes_per_pod = 0;  // by which memory grows in both of the last quarters; 0: it does not
  bool level = false;
};

// Memory grows if each of the last two quarters exceeds the one before it. What it grows by is
// twice the smaller of the two steps: a leak goes on, and one step does not, such as a table that
// doubles or a page that the system gives late. It is level if that is at most `most_percent` of
// the second quarter and `slack` bytes, which cover what an allocator keeps in short runs. The
// largest samples are compared, so memory that is retired in steps is level. Requires: samples are
// in the order of their pods, and each quarter has one.
Verdict judge(const std::vector<Sample>& samples, double most_percent, uint64_t slack);

// Lines with the pods, the memory in MB and, from the second one on, the bytes per pod since the
// line before.
std::string table(const std::vector<Sample>& samples);

}  // namespace berth::soak
