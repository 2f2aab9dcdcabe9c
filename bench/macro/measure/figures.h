#pragma once

// The figures of a run that repetitions give samples of: what medians are taken of and what two
// runs are compared by. One table for all of it.

#include <rapidjson/document.h>

#include <optional>
#include <span>
#include <string>

namespace berth::bench {

enum class Better : uint8_t { kHigher, kLower };

struct Figure {
  const char* name;  // of its samples
  const char* path;  // in a result: a JSON pointer
  const char* unit;
  Better better;
  const char* worse;  // the word for it in --fail-if; null: it cannot be asked for
};

std::span<const Figure> figures();

// The number at the figure's path; nothing if the result does not have it.
std::optional<double> figure_of(const rapidjson::Value& result, const Figure& figure);
// Precondition: figure_of() gives a number.
void set_figure(rapidjson::Value& result, const Figure& figure, double value);

}  // namespace berth::bench
