#pragma once

// Error texts of configurations, in the wording of the API server's validation (k8s.io/apimachinery
// v0.34.1, pkg/util/validation/field). The host puts the field path in front.

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>

#include "berth/sdk/text.hpp"

namespace berth::sdk {

// Quotes like Go's %q, except that bytes outside of ASCII are kept.
inline std::string quoted(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n' || c == '\t' || c == '\r') {
      out += c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r";
    } else if (byte < 0x20 || byte == 0x7f) {
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    } else {
      out += c;
    }
  }
  return out + '"';
}

// Texts of field.Error for the types of errors that plugins report.
inline std::string invalid_value(std::string_view value, std::string_view detail) {
  return concat("Invalid value: ", quoted(value), ": ", detail);
}
template <std::integral T>
std::string invalid_value(T value, std::string_view detail) {
  return concat("Invalid value: ", value, ": ", detail);
}
inline std::string duplicate_value(std::string_view value) {
  return concat("Duplicate value: ", quoted(value));
}
inline std::string required_value(std::string_view detail) {
  return concat("Required value: ", detail);
}
inline std::string forbidden_value(std::string_view detail) {
  return concat("Forbidden: ", detail);
}
inline std::string unsupported_value(std::string_view value,
                                     std::initializer_list<std::string_view> supported) {
  std::string out = concat("Unsupported value: ", quoted(value), ": supported values: ");
  std::string_view separator;
  for (const std::string_view one : supported) {
    out += concat(separator, quoted(one));
    separator = ", ";
  }
  return out;
}

}  // namespace berth::sdk
