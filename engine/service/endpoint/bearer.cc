#include "engine/service/endpoint/bearer.h"

#include <algorithm>

#include "engine/base/text/characters.h"

namespace berth::service {

std::string_view bearer_token(std::string_view authorization) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const size_t begin = std::min(authorization.find_first_not_of(kBlanks), authorization.size());
  authorization.remove_prefix(begin);
  authorization = authorization.substr(0, authorization.find_last_not_of(kBlanks) + 1);
  const size_t space = authorization.find(' ');
  if (space == authorization.npos) return {};
  if (!equal_but_for_case(authorization.substr(0, space), "bearer")) return {};
  const std::string_view rest = authorization.substr(space + 1);
  return rest.substr(0, rest.find(' '));
}

}  // namespace berth::service
