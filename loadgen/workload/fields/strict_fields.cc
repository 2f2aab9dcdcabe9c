#include "loadgen/workload/fields/strict_fields.h"

#include <fmt/format.h>

#include <utility>

namespace berth::loadgen {

using document::Kind;
using document::Value;

namespace {

std::string with_article(Kind kind) {
  const std::string_view name = kind_name(kind);
  if (kind == Kind::kNull) return std::string(name);
  const bool vowel = kind == Kind::kArray || kind == Kind::kObject;
  return fmt::format("{} {}", vowel ? "an" : "a", name);
}

}  // namespace

void report_at(Value at, std::string message, Diagnostics& diagnostics) {
  Place place = at.place();
  if (diagnostics.kept().size() < Diagnostics::kKept) place.field = at.path();
  diagnostics.report(Error(std::move(place), std::move(message)));
}

StrictFields::StrictFields(Value object, std::string what, Diagnostics& diagnostics)
    : AskedFields(object, Names::kInAnyCase), what_(std::move(what)), diagnostics_(diagnostics) {
  if (!object.is(Kind::kObject))
    report(object, fmt::format("expected {} (an object with fields), found {}", what_,
                               with_article(object.kind())));
}

bool StrictFields::expect(Value value, Kind kind, std::string_view name) const {
  if (!value.present()) return false;
  if (value.is(kind)) return true;
  report(value, fmt::format("{} must be {}, and is {}", name, with_article(kind),
                            with_article(value.kind())));
  return false;
}

std::string StrictFields::text(std::string_view name) {
  const Value value = at(name);
  return expect(value, Kind::kString, name) ? std::string(value.as_string()) : std::string();
}

std::optional<bool> StrictFields::boolean(std::string_view name) {
  const Value value = at(name);
  if (!expect(value, Kind::kBoolean, name)) return std::nullopt;
  return value.as_bool();
}

std::optional<int64_t> StrictFields::integer(std::string_view name, int64_t low, int64_t high) {
  const Value value = at(name);
  if (!expect(value, Kind::kNumber, name)) return std::nullopt;
  const std::optional<int64_t> number = value.as_int64();
  if (number && *number >= low && *number <= high) return number;
  report(value, fmt::format("{} must be a whole number from {} to {}, and is {}", name, low, high,
                            value.number_text()));
  return std::nullopt;
}

std::vector<std::string> StrictFields::texts(std::string_view name) {
  const Value value = at(name);
  std::vector<std::string> result;
  if (!expect(value, Kind::kArray, name)) return result;
  for (Value element : value.elements())
    if (expect(element, Kind::kString, fmt::format("each of {}", name)))
      result.emplace_back(element.as_string());
  return result;
}

std::map<std::string, std::string> StrictFields::text_map(std::string_view name) {
  const Value value = at(name);
  std::map<std::string, std::string> result;
  if (!expect(value, Kind::kObject, name)) return result;
  for (const document::Member& member : value.members())
    if (expect(member.value, Kind::kString, fmt::format("{} of {}", member.key, name)))
      result[std::string(member.key)] = member.value.as_string();
  return result;
}

std::vector<Value> StrictFields::objects(std::string_view name) {
  const Value value = at(name);
  std::vector<Value> result;
  if (!expect(value, Kind::kArray, name)) return result;
  for (Value element : value.elements())
    if (expect(element, Kind::kObject, fmt::format("each of {}", name))) result.push_back(element);
  return result;
}

void StrictFields::finish() {
  for (const document::Member& member : unknown())
    report(member.key_value, fmt::format("unknown field \"{}\" of {}; it takes {}", member.key,
                                         what_, fmt::join(asked(), ", ")));
}

}  // namespace berth::loadgen
