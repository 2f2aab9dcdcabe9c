#pragma once

// The recovery of a run from its evictions, as JSON: members of a summary and of what berth-bench
// measures. `Json`: JsonWriter or PrettyJsonWriter.

#include <vector>

#include "engine/output/summary.h"

namespace berth::output {

template <typename Json>
void write_recovery(Json& json, const Recovery& recovery) {
  json.object("evictions", [&] {
    json.member("first_seconds", recovery.first_seconds);
    json.member("last_seconds", recovery.last_seconds);
    if (recovery.settled_seconds) json.member("settled_seconds", *recovery.settled_seconds);
  });
}

// One array for the times and one for each number.
template <typename Json>
void write_evictions_over_time(Json& json, const std::vector<QueueSizes>& samples) {
  json.object("evictions_over_time", [&] {
    json.array("seconds", samples, [&](const QueueSizes& at) { json.Double(at.seconds); });
    json.array("evicted", samples, [&](const QueueSizes& at) { json.Uint64(at.evicted); });
    json.array("without_node", samples,
               [&](const QueueSizes& at) { json.Uint64(at.without_node()); });
  });
}

}  // namespace berth::output
