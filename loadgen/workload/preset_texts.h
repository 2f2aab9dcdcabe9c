#pragma once

// The workload files of loadgen/presets and workload.schema.json. The build embeds their texts in
// the program.

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
