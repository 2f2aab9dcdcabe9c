#pragma once

// Holds a decision against the brute force.

#include <cstdint>
#include <string>

#include "engine/runtime/core.h"
#include "tests/properties/brute_force.h"

namespace berth::tests::brute {

// What was held against it.
struct Checked {
  uint64_t decisions = 0;
  uint64_t pre_filtered = 0;  // that ended in PreFilter by one of the two
  uint64_t rows = 0;
  uint64_t refused = 0;    // rows, by one of the two
  uint64_t nominated = 0;  // rows with nominations that count
  uint64_t scored = 0;     // decisions in which one of the two scored
  uint64_t scores = 0;
};

// Empty, or the first thing that the two plugins did in another way. `objects` is what the session
// knows, before the decision counts.
std::string disagreement(runtime::Core& core, const runtime::Report& report, const model::Pod& pod,
                         const Objects& objects, const PluginArguments& arguments,
                         Checked& checked);

}  // namespace berth::tests::brute
