#pragma once

// The files of abi/templates, which are part of the program.

#include <span>
#include <string_view>

namespace berth::cli {

struct PluginTemplate {
  std::string_view name;  // of the file in abi/templates, without .in: "filter/plugin.cc"
  std::string_view text;
};

std::span<const PluginTemplate> plugin_templates();

}  // namespace berth::cli
