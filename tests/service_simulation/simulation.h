#pragma once

// One seed: a cluster, its users, the faults of its server, and one or two processes of `berth
// serve` are drawn and played in virtual time, in two phases. In phase one all have faults. In
// phase two there are none any more, and nothing new comes: every pod that can be placed has to
// be, soon, and nothing may be under way. All that is random comes from the seed, so two runs of it
// are equal line by line.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/service_simulation/marks.h"

namespace berth::service_simulation {

struct Outcome {
  std::vector<std::string> events;  // in order: what was done, sent, answered and reported
  std::string fault;                // the first thing that is wrong; empty: nothing is
  size_t until_fault = 0;           // events, with that of the fault
  MarkCounts marks{};
  uint64_t placed = 0;  // pods that came to a node
};

Outcome play(uint64_t seed);
// Plays the seed a second time. The fault names the first event that differs.
Outcome play_twice(uint64_t seed);

}  // namespace berth::service_simulation
