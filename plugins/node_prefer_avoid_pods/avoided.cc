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

// The member `name`, or null if it is absent or null. Like Go's decoder: names match
// case-insensitively, and the last of several members counts.
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

// The member `name` of `object`; null if either is absent.
const Value* below(const Value* object, std::string_view name) {
  return object == nullptr ? nullptr : member(*object, name);
}

}  // namespace

std::vector<Controller> read_avoided(std::string_view annotation) {
  rapidjson::Document document;
  // Iterative, because the author of an annotation decides how deeply it is nested.
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
