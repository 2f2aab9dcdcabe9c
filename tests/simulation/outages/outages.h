#pragma once

// One seed of the simulation of outages: nodes fail, are drained and run short of memory while the
// controllers of a cluster are played, plugins fail, and bindings fail or are answered late.
//
// Checked while it runs: that evictions which somebody asked for keep the budgets (budget_check.h),
// that a pod is evicted once, that as many pods are made as went, and that a ReplicaSet has its
// pods at any time. After all outages have ended each workload has its pods, bound to nodes that
// have room, and the statuses of the budgets are right.

#include <cstdint>
#include <string>
#include <vector>

#include "tests/simulation/outages/outage_marks.h"
#include "tests/simulation/ways.h"

namespace berth::simulation {

struct OutageOutcome {
  std::vector<std::string> events;  // in order: what was done, and what the core reported
  std::string fault;                // the first thing that is wrong; empty: nothing is
  OutageMarks::Counts marks{};
  uint64_t decisions = 0, bound = 0, evicted = 0, made = 0;
};

// Plays the seed in several ways; see play_in_all_ways().
OutageOutcome play_outages(uint64_t seed);

}  // namespace berth::simulation
