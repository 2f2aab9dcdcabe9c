#pragma once

// The parts that the JSON, the text and the page of a summary share.

#include <string>
#include <utility>
#include <vector>

#include "engine/output/summary.h"

namespace berth::output {

struct Queue {
  const char* name;
  uint64_t QueueSizes::*size;
};
inline constexpr Queue kQueues[] = {{"active", &QueueSizes::active},
                                    {"backoff", &QueueSizes::backoff},
                                    {"unschedulable", &QueueSizes::unschedulable},
                                    {"gated", &QueueSizes::gated},
                                    {"permit", &QueueSizes::permit}};

// 0 if nothing is allocatable.
inline double fraction(const ResourceUse& use) {
  return use.allocatable <= 0
             ? 0
             : static_cast<double>(use.requested) / static_cast<double>(use.allocatable);
}

// Labels and values, for people. Those that are 0 or do not apply are left out.
using Lines = std::vector<std::pair<std::string, std::string>>;
Lines pod_lines(const Summary& summary);
Lines wait_lines(const Summary& summary);
// When evictions were, how many pods were without a node at most since then, and when no more were
// than before.
Lines eviction_lines(const Summary& summary);
// Samples of the queues for people: the first one, the last, and few between them.
std::vector<QueueSizes> few_of(const std::vector<QueueSizes>& samples);

}  // namespace berth::output
