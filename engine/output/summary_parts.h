#pragma once

// The parts that the JSON and the page of a summary share.

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

}  // namespace berth::output
