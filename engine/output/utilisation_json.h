#pragma once

// The use of resources as JSON, in comparisons of runs. `Json`: JsonWriter or PrettyJsonWriter.

#include <vector>

#include "engine/output/summary.h"

namespace berth::output {

template <typename Json>
void write_utilisation(Json& json, const std::vector<ResourceUse>& resources) {
  json.object("utilisation", [&] {
    for (const ResourceUse& use : resources)
      json.object(use.resource, [&] {
        json.member("requested", use.requested);
        json.member("allocatable", use.allocatable);
      });
  });
}

}  // namespace berth::output
