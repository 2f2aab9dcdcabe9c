#include "plugins/node_prefer_avoid_pods/avoided.h"

#include <algorithm>

#include <rapidjson/document.h>

namespace berth::plugins {
namespace {

using rapidjson::Value;

class Malformed {};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

// Null where there is no such member, or it is null. As Go's decoder does: names match in whatever
// case, and of several members the last counts.
const Value* member(const Value& object, std::string_view name) {
  if (!object.IsObject()) throw Malformed();
  const Value* found = nullptr;
  for (const auto& one : object.GetObject())
    if (same_name({one.name.GetString(), one.name.GetStringLength()}, name)) found = &one.value;
  return found == nullptr || found->IsNull() ? nullptr : found;
}

std::string text(const Value* value) {
  if (value == nullptr) return {};
  if (!value->IsString()) throw Malformed();
  return {value->GetString(), value->GetStringLength()};
}

// What stands at `name` below `object`; null if either is not there.
const Value* below(const Value* object, std::string_view name) {
  return object == nullptr ? nullptr : member(*object, name);
}

}  // namespace

std::vector<Controller> read_avoided(std::string_view annotation) {
  rapidjson::Document document;
  // Not by recursion: whoever may annotate nodes decides how deep it is.
  document.Parse<rapidjson::kParseIterativeFlag>(annotation.data(), annotation.size());
  if (document.HasParseError()) return {};
  std::vector<Controller> avoided;
  try {
    if (document.IsNull()) return {};
    const Value* entries = member(document, "preferAvoidPods");
    if (entries == nullptr) return {};
    if (!entries->IsArray()) throw Malformed();
    for (const Value& entry : entries->GetArray()) {
      const Value* signature = entry.IsNull() ? nullptr : member(entry, "podSignature");
      const Value* controller = below(signature, "podController");
      if (controller != nullptr)
        avoided.push_back({text(below(controller, "kind")), text(below(controller, "uid"))});
    }
  } catch (const Malformed&) {
    return {};
  }
  return avoided;
}

}  // namespace berth::plugins
