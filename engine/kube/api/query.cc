#include "engine/kube/api/query.h"

#include "engine/base/assert.h"

namespace berth::kube {
namespace {

// The unreserved characters of RFC 3986.
bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

void append_encoded(std::string_view text, std::string& out) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  for (const char c : text) {
    if (is_unreserved(c)) {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
}

}  // namespace

std::string with_query(std::string path, std::initializer_list<Parameter> parameters) {
  BERTH_ASSERT(path.find('?') == path.npos);
  char separator = '?';
  for (const auto& [key, value] : parameters) {
    if (value.empty()) continue;
    path.append(1, separator).append(key).append("=");
    append_encoded(value, path);
    separator = '&';
  }
  return path;
}

}  // namespace berth::kube
