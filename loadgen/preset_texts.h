#pragma once

// The workload files of loadgen/presets, as they were when the program was built.

#include <span>
#include <string_view>

namespace berth::loadgen {

struct PresetText {
  std::string_view name;
  std::string_view text;
};

std::span<const PresetText> preset_texts();

}  // namespace berth::loadgen
