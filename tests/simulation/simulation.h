#pragma once

// One seed: a cluster, a workload and the rates of faults are drawn, and played in two phases.
// Phase one has faults: of a plugin at every point that may fail, of an extender, of the API server
// and its watch. The core audits its state after each step. In phase two there are none any more:
// all events arrive, time passes, every pod that can be placed has to be, and every group of pods
// that can be completed, at once. All that is random comes from the seed, so two runs of it are
// equal event by event.

#include <cstdint>
#include <string>
#include <vector>

#include "tests/simulation/ways.h"
#include "tests/simulation/world/marks.h"

namespace berth::simulation {

struct Outcome {
  std::vector<std::string> events;  // in order: what was done, and what the core reported
  std::string fault;                // the first thing that is wrong; empty: nothing is
  // Pods that had a place, and that only the queue's flush after five minutes brought there, with
  // who had refused them.
  std::vector<std::string> flushed;
  MarkCounts marks{};
  uint64_t decisions = 0, bound = 0, evicted = 0, failed = 0, left = 0;
  uint64_t rows_off_main = 0;  // evaluated by threads other than the deciding one
  uint64_t verified = 0;       // decisions
};

Outcome play(uint64_t seed, const Way& way);
// Plays the seed in several ways. The fault names the first event that differs.
Outcome play_all(uint64_t seed);
// The way of a history: threads (1, 2 or 8), the memory of rankings, when they are made, the length
// of the change log, verified decisions and the percentage of nodes to score are drawn.
Way draw_history(uint64_t seed);
// Plays the history of the seed with the incremental and with the reference evaluation: their
// events have to be equal byte for byte. That every pod gets its place is not part of it: among so
// many pods, groups that wait in Permit and pods that preempt them can take turns without end.
Outcome play_history(uint64_t seed);

}  // namespace berth::simulation
