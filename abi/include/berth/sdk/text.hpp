#pragma once

// Conversions between the ABI's strings and std::string_view.

#include <charconv>
#include <concepts>
#include <string>
#include <string_view>

#include "berth/abi/base.h"

namespace berth::sdk {

// The result is valid as long as the characters of `text`.
constexpr berth_string to_abi(std::string_view text) { return {text.data(), text.size()}; }
constexpr std::string_view to_view(berth_string text) {
  return text.size == 0 ? std::string_view{} : std::string_view{text.data, text.size};
}

// Receives text. Each `write` is one item, such as one reason or one error. A null sink drops it.
class TextSink {
 public:
  explicit TextSink(const berth_text_sink* sink) : sink_(sink) {}

  void write(std::string_view text) const {
    if (sink_ != nullptr && sink_->write != nullptr) sink_->write(sink_->context, to_abi(text));
  }

 private:
  const berth_text_sink* sink_;
};

namespace internal {

inline void append(std::string& out, std::string_view part) { out += part; }
inline void append(std::string& out, char part) { out += part; }
template <std::integral T>
requires(!std::same_as<T, char> && !std::same_as<T, bool>) void append(std::string& out, T part) {
  char digits[24];
  out.append(digits, std::to_chars(digits, digits + sizeof(digits), part).ptr);
}

}  // namespace internal

// Concatenates texts, characters and integers.
template <class... Parts>
std::string concat(const Parts&... parts) {
  std::string out;
  (internal::append(out, parts), ...);
  return out;
}

}  // namespace berth::sdk
