#pragma once

// How evenly pods are spread, as JSON: a member of comparisons and of what berth-bench measures.
// `Json`: JsonWriter or PrettyJsonWriter.

#include <vector>

#include "engine/output/spread.h"

namespace berth::output {

template <typename Json>
void write_spreads(Json& json, const std::vector<Spread>& spreads) {
  json.array("spread", spreads, [&](const Spread& of) {
    json.object([&] {
      json.member("topology_key", of.topology_key);
      json.member("domains", of.domains);
      json.member("min", of.minimum);
      json.member("max", of.maximum);
      json.member("mean", of.mean);
    });
  });
}

}  // namespace berth::output
