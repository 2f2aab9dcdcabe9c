#include "engine/conformance/case_objects.h"

namespace berth::conformance {

using document::Value;

std::string text_of(Value object, std::string_view field) {
  Value text = object.find(field);
  return text.is(document::Kind::kString) ? std::string(text.as_string()) : std::string();
}

std::optional<model::Object> object_of(Value object) {
  const std::string kind = text_of(object, "kind");
  if (!ingest::is_object(kind, text_of(object, "apiVersion"))) return std::nullopt;
  return decoded(object, [&](Value value, Diagnostics& diagnostics, ingest::Defaults defaults) {
    return ingest::decode_object(value, kind, diagnostics, defaults);
  });
}

std::pair<std::string, std::string> split_name(Value name) {
  const std::string_view text = name.is(document::Kind::kString) ? name.as_string() : "";
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos)
    throw Error(name.place(), "a pod or disruption budget is named as NAMESPACE/NAME");
  return {std::string(text.substr(0, slash)), std::string(text.substr(slash + 1))};
}

}  // namespace berth::conformance
