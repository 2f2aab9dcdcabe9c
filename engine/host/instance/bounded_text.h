#pragma once

// Texts of plugins that are shown to people or written to results.

#include <string_view>

#include "engine/host/instance/text.h"

namespace berth::host {

// At most this many bytes of a text are taken. What prints them escapes a character that was cut.
inline constexpr size_t kMostOfAText = 16 * 1024;

// The beginning of a plugin's string, valid as long as the plugin's memory.
inline std::string_view bounded(berth_string text) { return view(text).substr(0, kMostOfAText); }

}  // namespace berth::host
