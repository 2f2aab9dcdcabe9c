#include "tests/apiserver/virtual/target.h"

namespace berth::apiserver {
namespace {

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool decode(std::string_view text, bool plus_is_space, std::string& to) {
  to.clear();
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus_is_space) {
      to += ' ';
    } else if (text[i] != '%') {
      to += text[i];
    } else {
      const int high = i + 2 < text.size() ? digit_of(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? digit_of(text[i + 2]) : -1;
      if (high < 0 || low < 0) return false;
      to += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return true;
}

}  // namespace

bool parse_target(std::string_view target, std::string& path,
                  std::map<std::string, std::string>& query) {
  const size_t mark = target.find('?');
  if (!decode(target.substr(0, mark), false, path)) return false;
  if (mark == target.npos) return true;
  std::string_view rest = target.substr(mark + 1);
  while (!rest.empty()) {
    const size_t end = rest.find('&');
    const std::string_view pair = rest.substr(0, end);
    rest = end == rest.npos ? std::string_view() : rest.substr(end + 1);
    const size_t sign = pair.find('=');
    std::string name, value;
    const std::string_view its = sign == pair.npos ? std::string_view() : pair.substr(sign + 1);
    if (!decode(pair.substr(0, sign), true, name) || !decode(its, true, value)) return false;
    query[std::move(name)] = std::move(value);
  }
  return true;
}

}  // namespace berth::apiserver
