#include "engine/ingest/validation/report_errors.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace berth::ingest {
namespace {

using document::Value;

Value element_of(Value array, size_t index) {
  for (Value element : array.elements()) {
    if (index-- == 0) return element;
  }
  return {};
}

// Follows and removes the first step of a path: a field, [an index] or [a key], and the dot after
// it.
Value take_step(Value from, std::string_view& path) {
  Value to;
  size_t length = 0;
  if (path.front() == '[') {
    const size_t end = std::min(path.find(']'), path.size());
    const std::string_view inner = path.substr(1, end - 1);
    size_t index = 0;
    length = std::min(end + 1, path.size());
    const auto [stop, error] = std::from_chars(inner.data(), inner.data() + inner.size(), index);
    const bool is_index = error == std::errc() && stop == inner.data() + inner.size();
    to = from.is(document::Kind::kObject) ? from.find(inner)
                                          : (is_index ? element_of(from, index) : Value());
  } else {
    length = std::min(path.find_first_of(".["), path.size());
    to = from.find(path.substr(0, length));
  }
  if (!to.present()) return to;
  path.remove_prefix(length);
  if (path.starts_with('.')) path.remove_prefix(1);
  return to;
}

// The place of a key in a map; the map if it does not have the key.
Value key_in(Value map, std::string_view key) {
  for (const document::Member member : map.members())
    if (member.key == key) return member.key_value;
  return map;
}

Value place_of_error(Value object, const FieldError& error) {
  std::string_view rest = error.path;
  Value at = object;
  while (!rest.empty()) {
    const Value next = take_step(at, rest);
    if (!next.present()) return at;
    at = next;
  }
  return error.key.empty() ? at : key_in(at, error.key);
}

std::string path_before(Value object, const Faults& faults) {
  if (!faults.kept()) return {};
  std::string path = object.path();
  if (!path.empty()) path += '.';
  return path;
}

}  // namespace

void report_errors(Value object, std::span<const FieldError> errors, Faults& faults) {
  if (errors.empty()) return;
  const std::string root = path_before(object, faults);
  for (const FieldError& error : errors)
    faults.report_field(place_of_error(object, error), root + error.path, error.message);
}

void report_new_errors(Value object, std::span<const FieldError> errors, Faults& faults) {
  if (errors.empty()) return;
  if (faults.none()) return report_errors(object, errors, faults);
  const std::string root = path_before(object, faults);
  std::vector<FieldError> fresh(errors.begin(), errors.end());
  std::erase_if(fresh, [&](const FieldError& error) { return faults.touches(root + error.path); });
  report_errors(object, fresh, faults);
}

}  // namespace berth::ingest
