#pragma once

// Strings of the ABI, and texts in messages.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "berth/abi/base.h"
#include "engine/base/error.h"
#include "engine/base/text/joined.h"
#include "engine/host/calls/checks/checks.h"

namespace berth::host {

// True if the size of a plugin's string is garbage: nothing of it can be read.
inline bool is_absurd(berth_string text) { return text.size > uint64_t{1} << 30; }

// A view of a plugin's string, valid as long as the plugin's memory (usually for the call). A null
// pointer gives an empty view, whatever the size, and an absurd size a text that says so.
inline std::string_view view(berth_string text) {
  if (text.data == nullptr) return {};
  if (is_absurd(text)) return "(a text of more than 1 GiB, of which nothing is read)";
  return {text.data, text.size};
}

// The same for what is not only shown. Throws Error if the size is absurd.
inline std::string_view readable(berth_string text) {
  if (text.data != nullptr && is_absurd(text))
    throw Error("a text of " + std::to_string(text.size) + " bytes was passed");
  return view(text);
}

// The reverse: the caller keeps the text alive.
inline berth_string to_abi(std::string_view text) { return {text.data(), text.size()}; }

// Throws Error if a sink that a plugin passes cannot be written to.
inline void check_sink(const berth_text_sink* sink) {
  if (sink == nullptr || !BERTH_HAS(sink, write) || sink->write == nullptr)
    throw Error("a text sink without a function write");
  if (const auto problem = reserved_problem(sink->reserved))
    throw Error("a text sink with " + *problem);
}

// A copy of a string that a plugin declares; nothing if it is malformed or longer than 16 KiB.
inline std::optional<std::string> copy_text(berth_string text) {
  constexpr uint64_t kMost = 16 * 1024;
  if (text.size > kMost || (text.data == nullptr && text.size != 0)) return std::nullopt;
  return std::string(view(text));
}

inline std::string in_quotes(std::string_view text) { return '"' + std::string(text) + '"'; }

inline Place place_of(const std::filesystem::path& path) {
  Place place;
  place.file = path.string();
  return place;
}

}  // namespace berth::host
