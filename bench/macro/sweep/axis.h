#pragma once

// Axes of a sweep: a setting of a run, and the values that it takes.

#include <string>
#include <vector>

#include "bench/macro/run/variant.h"

namespace berth::bench {

struct Axis {
  std::string name;                 // "weight:NodeResourcesFit", "percentage", "seed"
  std::vector<std::string> values;  // at least one; each once, as the axis writes it
};

// Reads "NAME=VALUE[,VALUE...]". A..B stands for the whole numbers from A to B, A..B..STEP for each
// STEP-th of them. Throws UsageError for a name that no axis has, with the one that was meant, for
// a value that the axis does not take, and for one that is listed twice.
Axis parse_axis(const std::string& text);

// True if the axis does no more than draw other numbers, so that its values are repetitions of the
// same settings: "seed" and "tie-seed".
bool is_drawn(const std::string& axis);

// Sets the value in the variant. Requires: an axis of parse_axis() with one of its values.
void apply(const std::string& axis, const std::string& value, Variant& variant);

// The kinds of axes, for messages and the help: "percentage", "weight:PLUGIN".
std::vector<std::string> axis_forms();

}  // namespace berth::bench
