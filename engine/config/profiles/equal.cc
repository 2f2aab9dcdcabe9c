#include "engine/config/profiles/equal.h"

#include <algorithm>
#include <vector>

namespace berth::config {
namespace {

using document::Kind;
using document::Value;

bool equal_elements(Value a, Value b) {
  const auto left = a.elements();
  const auto right = b.elements();
  return a.size() == b.size() && std::equal(left.begin(), left.end(), right.begin(), equal);
}

std::vector<document::Member> sorted_members(Value object) {
  std::vector<document::Member> members;
  for (const document::Member& member : object.members()) members.push_back(member);
  std::ranges::sort(members, {}, &document::Member::key);
  return members;
}

bool equal_members(Value a, Value b) {
  return a.size() == b.size() &&
         std::ranges::equal(sorted_members(a), sorted_members(b),
                            [](const document::Member& left, const document::Member& right) {
                              return left.key == right.key && equal(left.value, right.value);
                            });
}

}  // namespace

bool equal(Value a, Value b) {
  const Kind kind = a.present() ? a.kind() : Kind::kNull;
  if (kind != (b.present() ? b.kind() : Kind::kNull)) return false;
  switch (kind) {
    case Kind::kNull:
      return true;
    case Kind::kBoolean:
      return a.as_bool() == b.as_bool();
    case Kind::kNumber:
      return a.number_text() == b.number_text();
    case Kind::kString:
      return a.as_string() == b.as_string();
    case Kind::kArray:
      return equal_elements(a, b);
    case Kind::kObject:
      return equal_members(a, b);
  }
  return false;
}

}  // namespace berth::config
