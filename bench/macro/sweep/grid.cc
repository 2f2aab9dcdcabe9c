#include "bench/macro/sweep/grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "engine/base/text/number_text.h"
#include "engine/base/text/printable.h"

namespace berth::bench {
namespace {

// The product, or the largest number if it is larger.
uint64_t saturating_product(uint64_t a, uint64_t b) {
  constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
  return b != 0 && a > kMost / b ? kMost : a * b;
}

void refuse_twice(const std::vector<Axis>& axes) {
  for (size_t i = 0; i < axes.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (axes[i].name == axes[j].name)
        throw UsageError(fmt::format("--vary {}: is varied twice; list its values: {}=A,B",
                                     printable(axes[i].name), printable(axes[i].name)));
}

std::string sizes_of(const std::vector<Axis>& axes) {
  std::string text;
  for (const Axis& axis : axes)
    text += fmt::format("{}{} of {}", text.empty() ? "" : ", ", axis.values.size(),
                        printable(axis.name));
  return text;
}

bool parse_number(std::string_view text, uint64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

Part parse_part(const std::string& text) {
  Part part;
  const size_t slash = text.find('/');
  if (slash == std::string::npos ||
      !parse_number(std::string_view(text).substr(0, slash), part.number) ||
      !parse_number(std::string_view(text).substr(slash + 1), part.of) || part.number < 1 ||
      part.number > part.of)
    throw UsageError("--part: expected I/N with I from 1 to N, found \"" + printable(text) + "\"");
  return part;
}

SettingsGrid::SettingsGrid(std::vector<Axis> axes, uint64_t most) : axes_(std::move(axes)) {
  refuse_twice(axes_);
  for (const Axis& axis : axes_) size_ = saturating_product(size_, axis.values.size());
  if (size_ > most)
    throw UsageError(fmt::format(
        "--vary: {} combinations ({}) are more than {}; leave out values, or set --most higher",
        grouped(size_), sizes_of(axes_), grouped(most)));
}

SettingsGrid::Settings SettingsGrid::settings(uint64_t combination) const {
  Settings settings(axes_.size());
  for (size_t i = axes_.size(); i-- > 0;) {
    const std::vector<std::string>& values = axes_[i].values;
    settings[i] = {axes_[i].name, values[combination % values.size()]};
    combination /= values.size();
  }
  return settings;
}

SettingsGrid::Settings SettingsGrid::varied(uint64_t combination) const {
  const Settings all = settings(combination);
  Settings varied;
  for (size_t i = 0; i < all.size(); ++i)
    if (axes_[i].values.size() > 1) varied.push_back(all[i]);
  return varied;
}

SettingsGrid::Settings SettingsGrid::row(uint64_t combination) const {
  Settings row = varied(combination);
  std::erase_if(row, [](const auto& setting) { return is_drawn(setting.first); });
  return row;
}

uint64_t SettingsGrid::combinations_per_row() const {
  uint64_t count = 1;
  for (const Axis& axis : axes_)
    if (is_drawn(axis.name)) count *= axis.values.size();
  return count;
}

Variant SettingsGrid::variant(uint64_t combination, const Variant& base) const {
  Variant variant = base;
  variant.combination = combination;
  variant.settings = settings(combination);
  variant.label = settings_text(varied(combination));
  for (const auto& [axis, value] : variant.settings) apply(axis, value, variant);
  return variant;
}

std::vector<uint64_t> SettingsGrid::of(const Part& part) const {
  std::vector<uint64_t> combinations;
  for (uint64_t i = part.number - 1; i < size_; i += part.of) {
    combinations.push_back(i);
    if (size_ - i <= part.of) break;  // the sum would be too large
  }
  return combinations;
}

std::string settings_text(const SettingsGrid::Settings& settings) {
  std::string text;
  for (const auto& [axis, value] : settings)
    text += (text.empty() ? "" : ", ") + axis + "=" + value;
  return text;
}

}  // namespace berth::bench
