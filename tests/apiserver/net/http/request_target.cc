#include "tests/apiserver/net/http/request_target.h"

#include <optional>
#include <string>
#include <utility>

namespace berth::apiserver {
namespace {

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> decoded(std::string_view text, bool plus_is_space) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus_is_space) {
      out += ' ';
    } else if (text[i] != '%') {
      out += text[i];
    } else {
      if (i + 2 >= text.size()) return std::nullopt;
      const int high = digit_of(text[i + 1]), low = digit_of(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      out += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return out;
}

// Returns the text before `mark`, and makes `rest` the text behind it; both without the mark.
std::string_view cut_at(char mark, std::string_view& rest) {
  const size_t end = rest.find(mark);
  const std::string_view first = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return first;
}

}  // namespace

bool set_target(std::string_view target, Request& request) {
  if (!target.starts_with('/')) return false;
  std::string_view query = target;
  std::optional<std::string> path = decoded(cut_at('?', query), false);
  if (!path) return false;
  request.path = std::move(*path);
  while (!query.empty()) {
    std::string_view value = cut_at('&', query);
    if (value.empty()) continue;
    std::optional<std::string> name = decoded(cut_at('=', value), true);
    std::optional<std::string> text = decoded(value, true);
    if (!name || !text) return false;
    request.query.insert_or_assign(std::move(*name), std::move(*text));
  }
  return true;
}

bool complete_request(std::string_view target, std::string_view user, Request& request) {
  request.headers.erase("x-remote-user");
  if (!user.empty()) request.headers.emplace("x-remote-user", user);
  return set_target(target, request);
}

void add_header(std::string_view name, std::string_view value, Request& request) {
  const auto [field, added] = request.headers.try_emplace(std::string(name), value);
  if (!added) field->second.append(", ").append(value);
}

}  // namespace berth::apiserver
