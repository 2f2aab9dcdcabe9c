#include "engine/kube/config/fields.h"

#include <algorithm>

#include "engine/base/text/base64.h"
#include "engine/base/text/suggestion.h"

namespace berth::kube {
namespace {

using document::Kind;
using document::Value;

std::string_view with_article(Kind kind) {
  switch (kind) {
    case Kind::kNull:
      return "null";
    case Kind::kBoolean:
      return "true or false";
    case Kind::kNumber:
      return "a number";
    case Kind::kString:
      return "a string";
    case Kind::kArray:
      return "a list";
    case Kind::kObject:
      return "an object";
  }
  return {};
}

Error wrong_kind(Value value, Kind expected) {
  std::string message = "expected " + std::string(with_article(expected)) + ", not " +
                        std::string(with_article(value.kind()));
  if (expected == Kind::kString && (value.is(Kind::kNumber) || value.is(Kind::kBoolean)))
    message += "; put it in quotes";
  return fault_at(value, std::move(message));
}

std::string header_text(Value value) {
  if (!value.is(Kind::kString)) throw wrong_kind(value, Kind::kString);
  const std::string_view text = value.as_string();
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  if (std::ranges::any_of(text, control))
    throw fault_at(value,
                   "has a line break or another control character, which no HTTP header may have");
  return std::string(text);
}

std::string plain_text(Value value) {
  if (!value.is(Kind::kString)) throw wrong_kind(value, Kind::kString);
  return std::string(value.as_string());
}

}  // namespace

Error fault_at(Value value, std::string message) {
  Place place = value.place();
  place.field = value.path();
  return Error(std::move(place), std::move(message));
}

void UnknownFields::add(std::string_view object, Value key, const std::vector<std::string>& known) {
  if (remarks_.size() == kMost) return;
  const std::string name(key.as_string());
  std::string field = (object.empty() ? "" : std::string(object) + ".") + name;
  if (!seen_.insert(field).second) return;
  Place place = key.place();
  place.field = std::move(field);
  const std::string near = nearest_word(name, known);
  remarks_.emplace_back(std::move(place), "not a field of a kubeconfig, so it has no effect" +
                                              (near.empty() ? "" : "; did you mean " + near + "?"));
}

Fields::Fields(Value object, std::string name) : name_(std::move(name)) {
  if (!object.set()) return;
  if (!object.is(Kind::kObject)) throw wrong_kind(object, Kind::kObject);
  object_ = object;
}

Value Fields::member(std::string_view key, Kind kind) {
  known_.emplace_back(key);
  const Value value = object_.find(key);
  if (!value.set()) return {};
  if (!value.is(kind)) throw wrong_kind(value, kind);
  return value;
}

void Fields::text(std::string_view key, std::string& to) {
  if (const Value value = member(key, Kind::kString); value.present()) to = value.as_string();
}

void Fields::header(std::string_view key, std::string& to) {
  if (const Value value = member(key, Kind::kString); value.present()) to = header_text(value);
}

void Fields::base64(std::string_view key, std::string& to) {
  const Value value = member(key, Kind::kString);
  if (!value.present()) return;
  std::optional<std::string> bytes = base64_bytes(value.as_string());
  if (!bytes)
    throw fault_at(value,
                   "is not base64; a PEM file has to be encoded once more (base64 -w0 FILE)");
  to = std::move(*bytes);
}

void Fields::flag(std::string_view key, bool& to) {
  if (const Value value = member(key, Kind::kBoolean); value.present()) to = value.as_bool();
}

void Fields::headers(std::string_view key, std::vector<std::string>& to) {
  for (const Value element : array(key).elements()) to.push_back(header_text(element));
}

void Fields::texts(std::string_view key, std::vector<std::string>& to) {
  for (const Value element : array(key).elements()) to.push_back(plain_text(element));
}

void Fields::ignore(std::initializer_list<std::string_view> keys) {
  known_.insert(known_.end(), keys.begin(), keys.end());
}

Value Fields::object(std::string_view key) { return member(key, Kind::kObject); }

Value Fields::array(std::string_view key) { return member(key, Kind::kArray); }

void Fields::finish(UnknownFields& unknown) const {
  for (const document::Member& member : object_.members())
    if (std::ranges::find(known_, member.key) == known_.end())
      unknown.add(name_, member.key_value, known_);
}

}  // namespace berth::kube
