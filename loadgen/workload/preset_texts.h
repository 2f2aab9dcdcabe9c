#pragma once

// The workload files of loadgen/presets, and the JSON schema of such files, as they were when the
// program was built.

#include <span>
#include <string_view>

namespace berth::loadgen {

struct PresetText {
  std::string_view name;
  std::string_view text;
};

std::span<const PresetText> preset_texts();
std::string_view schema_text();

}  // namespace berth::loadgen
