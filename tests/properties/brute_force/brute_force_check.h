#pragma once

// Compares decisions with the brute-force plugins.

#include <cstdint>
#include <string>

#include "engine/runtime/core.h"
#include "tests/properties/brute_force/brute_force.h"

namespace berth::tests::brute {

// Counts how much was compared.
struct Checked {
  uint64_t decisions = 0;
  uint64_t pre_filtered = 0;  // ended in PreFilter by one of the two plugins
  uint64_t rows = 0;
  uint64_t refused = 0;    // rows refused by one of the two
  uint64_t nominated = 0;  // rows with nominations that count
  uint64_t scored = 0;     // decisions scored by one of the two
  uint64_t scores = 0;
};

// Describes the first difference between the decision and brute force; empty if there is none.
// `objects` is the state that the session knows, before the decision takes effect.
std::string disagreement(runtime::Core& core, const runtime::Report& report, const model::Pod& pod,
                         const Objects& objects, const PluginArguments& arguments,
                         Checked& checked);

}  // namespace berth::tests::brute
