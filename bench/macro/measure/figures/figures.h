#pragma once

// The figures that every repetition measures. Medians, samples and comparisons of results all use
// this table.

#include <rapidjson/document.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace berth::bench {

enum class Better : uint8_t { kHigher, kLower };

struct Figure {
  const char* name;  // name of its samples
  const char* path;  // JSON pointer to the figure in a result
  const char* unit;  // "s", "B", "decisions/s"; empty: none
  Better better;
  const char* worse;  // name of its --fail-if condition; null: none
};

std::span<const Figure> figures();
// Requires: there is a figure of this name.
const Figure& figure_named(std::string_view name);

// The number at the figure's path, or nullopt if the result does not have it.
std::optional<double> figure_of(const rapidjson::Value& result, const Figure& figure);
// The figure's samples in a result of several repetitions; empty if it has none.
std::vector<double> samples_of(const rapidjson::Value& result, const Figure& figure);
// The figure's value in its unit, with the digits that samples with this spread leave; every digit
// in the unit of the document with `all_digits`.
std::string figure_text(const Figure& figure, double value, double spread, bool all_digits);
// Replaces the number at the figure's path. Requires: figure_of() returns a number.
void set_figure(rapidjson::Value& result, const Figure& figure, double value);

}  // namespace berth::bench
