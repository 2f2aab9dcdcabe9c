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
  uint64_t first_half = 0, second_half = 0;  // the largest samples of each, in bytes
  double bytes_per_pod = 0;  // by which the second exceeds the first; 0 if it does not
  bool level = false;
};

// Memory is level if no sample of the second half of the pods exceeds the largest of the first half
// by more than `most_percent` of it and `slack` bytes. The slack covers what an allocator keeps in
// short runs; the largest sample is compared, so memory that is retired in steps is level.
// Requires: samples are in the order of their pods, and each half has one.
Verdict judge(const std::vector<Sample>& samples, double most_percent, uint64_t slack);

// Lines with the pods, the memory in MB and, from the second one on, the bytes per pod since the
// line before.
std::string table(const std::vector<Sample>& samples);

}  // namespace berth::soak
