#include "engine/conformance/canonical.h"

#include <map>

namespace berth::conformance {

using document::Kind;
using document::Value;

namespace {

// 10.0 and 10 are the same.
std::string canonical_number(std::string text) {
  const size_t point = text.find('.');
  if (point == text.npos || text.find_first_of("eE") != text.npos) return text;
  const size_t last = text.find_last_not_of('0');
  return text.substr(0, last == point ? point : last + 1);
}

}  // namespace

bool says_nothing(Value value) {
  if (!value.set()) return true;
  const std::string text = document::to_json(value);
  return text == "[]" || text == "{}" || text == "\"\"" || text == "false";
}

std::string canonical(Value value, std::string_view without) {
  if (says_nothing(value)) return {};
  std::string text;
  if (value.is(Kind::kObject)) {
    std::map<std::string, std::string> members;
    for (document::Member member : value.members())
      if (member.key != without)
        members.insert_or_assign(std::string(member.key), canonical(member.value));
    for (const auto& [key, member] : members)
      if (!member.empty()) text += (text.empty() ? "{" : ",") + key + ":" + member;
    return text.empty() ? text : text + "}";
  }
  if (value.is(Kind::kNumber)) return canonical_number(document::to_json(value));
  if (!value.is(Kind::kArray)) return document::to_json(value);
  for (Value element : value.elements())
    text += (text.empty() ? "[" : ",") +
            (element.is(Kind::kString) ? document::to_json(element) : canonical(element));
  return text + "]";
}

}  // namespace berth::conformance
