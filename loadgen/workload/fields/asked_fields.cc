#include "loadgen/workload/fields/asked_fields.h"

#include <algorithm>

namespace berth::loadgen {

using document::Value;

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

Value AskedFields::at(std::string_view name) {
  if (std::ranges::find(asked_, name) == asked_.end()) asked_.emplace_back(name);
  Value found = object_.find(name);
  if (!found.present() && names_ == Names::kInAnyCase) {
    for (const document::Member& member : object_.members())
      if (is(member.key, name)) found = member.value;
  }
  return found.is(document::Kind::kNull) ? Value() : found;
}

std::vector<document::Member> AskedFields::unknown() const {
  std::vector<document::Member> members;
  for (const document::Member& member : object_.members())
    if (std::ranges::none_of(asked_, [&](const std::string& name) { return is(member.key, name); }))
      members.push_back(member);
  return members;
}

}  // namespace berth::loadgen
