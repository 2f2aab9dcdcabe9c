#include "engine/ingest/admission/field_errors.h"

#include <algorithm>
#include <utility>

#include "engine/base/text/joined.h"
#include "engine/document/document.h"

namespace berth::ingest {
namespace {

using document::quoted;

std::string quoted_for_pages(std::string_view text) {
  std::string out;
  for (const char c : quoted(text)) {
    switch (c) {
      case '<':
        out += "\\u003c";
        break;
      case '>':
        out += "\\u003e";
        break;
      case '&':
        out += "\\u0026";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string with_detail(std::string text, std::string_view detail) {
  if (!detail.empty()) text.append(": ").append(detail);
  return text;
}

}  // namespace

std::string FieldErrors::path() const {
  std::string text;
  for (const auto& [field, index, key] : steps_) {
    if (!text.empty() && *field != '\0') text += '.';
    text += field;
    if (index != kNoIndex) text += "[" + std::to_string(index) + "]";
    if (!key.empty()) text.append("[").append(key).append("]");
  }
  return text;
}

void FieldErrors::add(std::string message) {
  if (errors_.size() == kMost) return;
  FieldError error{path(), std::move(message), std::string(key_)};
  if (std::ranges::find(errors_, error) == errors_.end()) errors_.push_back(std::move(error));
}

void FieldErrors::required(std::string_view detail) { add(with_detail("Required value", detail)); }

void FieldErrors::forbidden(std::string_view detail) { add(with_detail("Forbidden", detail)); }

void FieldErrors::invalid(int64_t value, std::string_view detail) {
  add(with_detail("Invalid value: " + std::to_string(value), detail));
}

void FieldErrors::invalid(std::string_view value, std::string_view detail) {
  add(with_detail("Invalid value: " + quoted(value), detail));
}

void FieldErrors::invalid_enumerator(std::string_view value, std::string_view detail) {
  add(with_detail("Invalid value: " + quoted_for_pages(value), detail));
}

void FieldErrors::unsupported(std::string_view value,
                              std::initializer_list<std::string_view> supported) {
  add("Unsupported value: " + quoted_for_pages(value) +
      ": supported values: " + joined(supported, ", ", quoted));
}

void FieldErrors::duplicate(std::string_view value) { add("Duplicate value: " + quoted(value)); }

void FieldErrors::invalid(std::string_view value, const std::vector<std::string>& details) {
  for (const std::string& detail : details) invalid(value, detail);
}

void FieldErrors::invalid_enumerator(std::string_view value,
                                     const std::vector<std::string>& details) {
  for (const std::string& detail : details) invalid_enumerator(value, detail);
}

}  // namespace berth::ingest
