#include "tests/apiserver/api/access.h"

#include <algorithm>

#include "tests/apiserver/api/faults.h"

namespace berth::apiserver {
namespace {

bool covers(std::string_view rule, std::string_view text) { return rule == "*" || rule == text; }

bool is_of(const std::string& subject, const User& user) {
  return covers(subject, user.name) || std::ranges::find(user.groups, subject) != user.groups.end();
}

bool covers(const AccessRule& rule, const Attempt& attempt) {
  if (!covers(rule.verb, attempt.verb)) return false;
  if (attempt.resource.empty()) return matches_pattern(rule.path, attempt.path);
  return covers(rule.group, attempt.group) && covers(rule.resource, attempt.resource);
}

}  // namespace

bool Access::allows(const User& user, const Attempt& attempt) const {
  return std::ranges::any_of(rules, [&](const AccessRule& rule) {
    return is_of(rule.subject, user) && covers(rule, attempt);
  });
}

}  // namespace berth::apiserver
