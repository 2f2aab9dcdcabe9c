#include "engine/ingest/admission/admit_pod.h"

#include <charconv>
#include <string_view>

#include "engine/ingest/admission/match_label_keys.h"
#include "engine/ingest/admission/validate_pod.h"

namespace berth::ingest {
namespace {

using document::Value;

Value element_of(Value array, size_t index) {
  for (Value element : array.elements()) {
    if (index-- == 0) return element;
  }
  return {};
}

// Follows and removes the first step of a path: a field or [an index], and the dot after it.
Value take_step(Value from, std::string_view& path) {
  Value to;
  size_t length = 0;
  if (path.front() == '[') {
    size_t index = 0;
    length = path.find(']') + 1;
    std::from_chars(path.data() + 1, path.data() + length, index);
    to = element_of(from, index);
  } else {
    length = std::min(path.find_first_of(".["), path.size());
    to = from.find(path.substr(0, length));
  }
  if (!to.present()) return to;
  path.remove_prefix(length);
  if (path.starts_with('.')) path.remove_prefix(1);
  return to;
}

// Reports at the closest existing ancestor, because the path can lead to a missing field.
void report(Value object, const FieldError& error, Faults& faults) {
  std::string_view rest = error.path;
  Value at = object;
  while (!rest.empty()) {
    const Value next = take_step(at, rest);
    if (!next.present()) break;
    at = next;
  }
  faults.report(at, error.message, rest);
}

}  // namespace

void admit_pod(Value object, model::Pod& pod, Faults& faults) {
  const model::StringMap& labels = pod.spec.labels;
  merge_label_keys([&](std::string_view key) { return label_of(labels, key); }, pod.spec.affinity);
  const Strictness strictness = pod.bound() ? Strictness::kExisting : Strictness::kCreated;
  for (const FieldError& error : validate_pod(pod.spec, labels, strictness)) {
    report(object, error, faults);
  }
}

}  // namespace berth::ingest
