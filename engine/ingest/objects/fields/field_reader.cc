#include "engine/ingest/objects/fields/field_reader.h"

#include <algorithm>
#include <limits>

#include "engine/ingest/objects/fields/quantity_field.h"
#include "engine/ingest/objects/fields/time_field.h"

namespace berth::ingest {
namespace {

using document::Kind;
using document::Value;

std::string with_article(Kind kind) {
  bool vowel = kind == Kind::kArray || kind == Kind::kObject;
  return (vowel ? "an " : "a ") + std::string(document::kind_name(kind));
}

template <typename Map>
void sort_by_key(Map& map) {
  auto less = [](const auto& a, const auto& b) { return a.first < b.first; };
  auto not_less = [](const auto& a, const auto& b) { return a.first >= b.first; };
  if (std::adjacent_find(map.begin(), map.end(), not_less) == map.end())
    return;  // the usual case: kubectl prints sorted maps
  std::stable_sort(map.begin(), map.end(), less);
  // For a duplicate key the last value counts, as in Go's decoder.
  auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
  auto last_of_each = std::unique(map.rbegin(), map.rend(), same);
  map.erase(map.begin(), last_of_each.base());
}

}  // namespace

std::string described(Value value) {
  if (!value.present()) return "nothing";
  if (value.is(Kind::kArray) || value.is(Kind::kObject)) return with_article(value.kind());
  constexpr size_t kMost = 60;
  std::string text = document::to_json(value);
  if (text.size() > kMost) text = text.substr(0, kMost) + "...";
  bool named = value.is(Kind::kString) || value.is(Kind::kNumber);
  return named ? "the " + std::string(document::kind_name(value.kind())) + " " + text : text;
}

void Faults::report(Value at, std::string message, std::string_view missing) {
  std::string field;
  if (kept()) {
    field = at.path();
    if (!missing.empty()) {
      field += (field.empty() || missing.front() == '[' ? "" : ".");
      field += missing;
    }
  }
  report_field(at, std::move(field), std::move(message));
}

void Faults::report_field(Value at, std::string field, std::string message) {
  if (++count_ > kMost + 1) return;
  if (count_ > kMost) {
    field.clear();
    message = "this object has more faults, which are told when those above are corrected";
  }
  Place place = at.place();
  if (!field.empty()) fields_.push_back(field);
  place.field = std::move(field);
  diagnostics_.report(Error(std::move(place), std::move(message)));
}

bool Faults::touches(std::string_view field) const {
  const auto holds = [](std::string_view whole, std::string_view part) {
    return part.starts_with(whole) &&
           (part.size() == whole.size() || part[whole.size()] == '.' || part[whole.size()] == '[');
  };
  return std::ranges::any_of(fields_, [&](const std::string& known) {
    return holds(known, field) || holds(field, known);
  });
}

FieldReader::FieldReader(Value value, Faults& faults) : faults_(&faults) {
  if (!value.is(Kind::kNull)) value_ = checked(value, Kind::kObject);
}

Value FieldReader::at(std::string_view name) const {
  Value value = value_.find(name);
  return value.is(Kind::kNull) ? Value() : value;
}

Value FieldReader::checked(Value value, Kind kind) const {
  if (!value.present() || value.is(kind)) return value;
  // YAML reads unquoted words as booleans and numbers unexpectedly: a name `n` is false.
  bool unquoted = kind == Kind::kString && (value.is(Kind::kBoolean) || value.is(Kind::kNumber));
  faults_->report(value, "expected " + with_article(kind) + ", found " + described(value) +
                             (unquoted ? " (put it in quotes)" : ""));
  return {};
}

Value FieldReader::typed(std::string_view name, Kind kind) const { return checked(at(name), kind); }

std::string_view FieldReader::string_or_null(Value value) const {
  if (value.is(Kind::kNull)) return {};
  value = checked(value, Kind::kString);
  return value.present() ? value.as_string() : std::string_view();
}

std::string FieldReader::text(std::string_view name) const {
  return std::string(string_or_null(value_.find(name)));
}

std::string FieldReader::name(std::string_view field) const {
  std::string name = text(field);
  if (name.size() <= kLongestName) return name;
  faults_->report(value_.find(field), "is " + std::to_string(name.size()) +
                                          " bytes long, more than the " +
                                          std::to_string(kLongestName) + " that a name may have");
  return {};
}

bool FieldReader::boolean(std::string_view name) const {
  Value value = typed(name, Kind::kBoolean);
  return value.present() && value.as_bool();
}

std::optional<int64_t> FieldReader::integer(std::string_view name, int64_t minimum,
                                            int64_t maximum) const {
  Value value = typed(name, Kind::kNumber);
  if (!value.present()) return std::nullopt;
  std::optional<int64_t> number = value.as_int64();
  if (number && *number >= minimum && *number <= maximum) return number;
  faults_->report(value, "expected an integer from " + std::to_string(minimum) + " to " +
                             std::to_string(maximum) + ", found " + described(value));
  return std::nullopt;
}

std::optional<int32_t> FieldReader::integer32(std::string_view name) const {
  constexpr int32_t kLow = std::numeric_limits<int32_t>::min();
  constexpr int32_t kHigh = std::numeric_limits<int32_t>::max();
  std::optional<int64_t> number = integer(name, kLow, kHigh);
  if (!number) return std::nullopt;
  return static_cast<int32_t>(*number);
}

std::optional<int64_t> FieldReader::time(std::string_view name) const {
  const Value value = typed(name, Kind::kString);
  if (!value.present()) return std::nullopt;
  const std::optional<int64_t> time = parse_time(value.as_string());
  if (!time)
    faults_->report(value, "expected a time like 2024-01-01T00:00:00Z, found " + described(value));
  return time;
}

std::vector<std::string> FieldReader::texts(std::string_view name) const {
  std::vector<std::string> texts;
  Value array = typed(name, Kind::kArray);
  texts.reserve(array.size());
  for (Value element : array.elements()) {
    texts.emplace_back(string_or_null(element));
  }
  return texts;
}

std::vector<std::string> FieldReader::keys(std::string_view name) const {
  std::vector<std::string> keys;
  for (document::Member member : typed(name, Kind::kObject).members())
    keys.emplace_back(member.key);
  std::sort(keys.begin(), keys.end());
  return keys;
}

model::StringMap FieldReader::string_map(std::string_view name) const {
  model::StringMap map;
  Value object = typed(name, Kind::kObject);
  map.reserve(object.size());
  for (document::Member member : object.members()) {
    map.emplace_back(member.key, string_or_null(member.value));
  }
  sort_by_key(map);
  return map;
}

model::ResourceList FieldReader::resources(std::string_view name, Defaults defaults) const {
  model::ResourceList list;
  Value object = typed(name, Kind::kObject);
  list.reserve(object.size());
  for (document::Member member : object.members()) {
    if (auto amount = read_quantity(member.value, member.key, defaults, *faults_)) {
      list.emplace_back(member.key, *amount);
    }
  }
  sort_by_key(list);
  return list;
}

std::optional<int64_t> FieldReader::amount(std::string_view name, Defaults defaults) const {
  const Value value = at(name);
  if (!value.present()) return std::nullopt;
  const auto amount = read_quantity(value, name, defaults, *faults_);
  return amount ? std::optional(amount->value()) : std::nullopt;
}

FieldReader object_reader(Value value, Faults& faults) {
  if (!value.is(Kind::kObject)) {
    faults.report(value, "expected a Kubernetes object, found " + described(value));
    return {Value(), faults};
  }
  return {value, faults};
}

std::string object_name(const FieldReader& object, const FieldReader& metadata, Defaults defaults,
                        std::string_view kind) {
  std::string name = metadata.name("name");
  if (name.empty() && defaults == Defaults::kApiServer) name = metadata.name("generateName");
  if (name.empty() && object.faultless()) {
    const bool vowel = kind.starts_with('E');
    std::string message = (vowel ? "an " : "a ") + std::string(kind) + " needs a name";
    if (metadata.present()) {
      metadata.missing("name", std::move(message));
    } else {
      object.missing("metadata.name", std::move(message));
    }
  }
  return name;
}

std::string namespace_of(const FieldReader& metadata, Defaults defaults) {
  std::string name = metadata.name("namespace");
  return name.empty() && defaults == Defaults::kApiServer ? "default" : name;
}

}  // namespace berth::ingest
