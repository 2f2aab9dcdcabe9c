#pragma once

// The figures that every repetition measures. Medians, samples and comparisons of results all use
// this table.

#include <rapidjson/document.h>

#include <optional>
#include <span>
#include <string>

namespace berth::bench {

enum class Better : uint8_t { kHigher, kLower };

struct Figure {
  const char* name;  // name of its samples
  const char* path;  // JSON pointer to the figure in a result
  const char* unit;
  Better better;
  const char* worse;  // name of its --fail-if condition; null: none
};

std::span<const Figure> figures();

// The number at the figure's path, or nullopt if the result does not have it.
std::optional<double> figure_of(const rapidjson::Value& result, const Figure& figure);
// Replaces the number at the figure's path. Requires: figure_of() returns a number.
void set_figure(rapidjson::Value& result, const Figure& figure, double value);

}  // namespace berth::bench
