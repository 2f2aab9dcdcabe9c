#include "engine/conformance/canonical.h"

#include <map>

namespace berth::conformance {

using document::Kind;
using document::Value;

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
  if (!value.is(Kind::kArray)) return document::to_json(value);
  for (Value element : value.elements())
    text += (text.empty() ? "[" : ",") +
            (element.is(Kind::kString) ? document::to_json(element) : canonical(element));
  return text + "]";
}

}  // namespace berth::conformance
