#pragma once

// The combinations of a sweep's axes, and how they are shared among machines.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/macro/sweep/axis.h"

namespace berth::bench {

// A part of a sweep: of `of` parts, the one with this number.
struct Part {
  uint64_t number = 1;  // 1..of
  uint64_t of = 1;

  // Every `of`-th combination.
  bool has(uint64_t combination) const { return combination % of == number - 1; }
};

// Reads "I/N". Throws UsageError unless I is a number from 1 to N.
Part parse_part(const std::string& text);

// Combinations are numbered from 0 in the order of the axes; the last axis varies fastest.
class SettingsGrid {
 public:
  SettingsGrid() = default;
  // Throws UsageError if an axis is there twice, and if there are more than `most` combinations.
  SettingsGrid(std::vector<Axis> axes, uint64_t most);

  const std::vector<Axis>& axes() const { return axes_; }
  uint64_t size() const { return size_; }  // at least 1

  // The axes and their values in the combination. Requires: less than size().
  using Settings = std::vector<std::pair<std::string, std::string>>;
  Settings settings(uint64_t combination) const;
  // Those of axes that have several values.
  Settings varied(uint64_t combination) const;
  // Those of them that do more than draw other numbers (is_drawn): what a row of the table is for.
  Settings row(uint64_t combination) const;
  uint64_t combinations_per_row() const;
  // `base` with the settings of the combination, its number and its label.
  Variant variant(uint64_t combination, const Variant& base) const;

  // The combinations of a part, in order.
  std::vector<uint64_t> of(const Part& part) const;

 private:
  std::vector<Axis> axes_;
  uint64_t size_ = 1;
};

// "weight:A=1, percentage=10".
std::string settings_text(const SettingsGrid::Settings& settings);

}  // namespace berth::bench
