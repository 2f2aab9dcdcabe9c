#include "engine/ingest/field_reader.h"

#include <algorithm>

namespace berth::ingest {
namespace {

template <typename Map>
void sort_by_key(Map& map) {
  // Of a key that is given twice the last one counts, as for Go's decoder.
  std::stable_sort(map.begin(), map.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  auto last_of_each = std::unique(map.rbegin(), map.rend(),
                                  [](const auto& a, const auto& b) { return a.first == b.first; });
  map.erase(map.begin(), last_of_each.base());
}

std::string found(document::Value value) {
  std::string text = document::to_json(value);
  constexpr size_t kMost = 60;
  if (text.size() > kMost) text = text.substr(0, kMost) + "...";
  return std::string(document::kind_name(value.kind())) + " " + text;
}

}  // namespace

std::string FieldReader::below(std::string_view name) const {
  return path_.empty() ? std::string(name) : path_ + "." + std::string(name);
}

void FieldReader::report(document::Value at, const std::string& path, std::string message) const {
  Place place = at.place();
  place.field = path;
  diagnostics_.report(Error(std::move(place), std::move(message)));
  good_ = false;
}

void FieldReader::fault(std::string_view name, std::string message) const {
  document::Value at = value_.find(name);
  report(at.present() ? at : value_, below(name), std::move(message));
}

bool FieldReader::expect(document::Kind kind) const {
  if (value_.is(kind)) return true;
  report(value_, path_, "expected " + std::string(document::kind_name(kind)) + ", found " + found(value_));
  return false;
}

bool FieldReader::has(std::string_view name) const {
  document::Value value = value_.find(name);
  return value.present() && value.kind() != document::Kind::kNull;
}

document::Value FieldReader::typed(std::string_view name, document::Kind kind) const {
  if (!has(name)) return {};
  document::Value value = value_.find(name);
  if (value.is(kind)) return value;
  report(value, below(name), "expected " + std::string(document::kind_name(kind)) + ", found " + found(value));
  return {};
}

FieldReader FieldReader::object(std::string_view name) const {
  return {typed(name, document::Kind::kObject), below(name), diagnostics_, good_};
}

std::string FieldReader::text(std::string_view name) const {
  document::Value value = typed(name, document::Kind::kString);
  return value.present() ? std::string(value.as_string()) : std::string();
}

bool FieldReader::boolean(std::string_view name) const {
  document::Value value = typed(name, document::Kind::kBoolean);
  return value.present() && value.as_bool();
}

std::optional<int64_t> FieldReader::integer(std::string_view name, int64_t minimum,
                                            int64_t maximum) const {
  document::Value value = typed(name, document::Kind::kNumber);
  if (!value.present()) return std::nullopt;
  std::optional<int64_t> number = value.as_int64();
  if (number && *number >= minimum && *number <= maximum) return number;
  report(value, below(name),
         "expected an integer from " + std::to_string(minimum) + " to " + std::to_string(maximum) +
             ", found " + std::string(value.number_text()));
  return std::nullopt;
}

std::optional<int32_t> FieldReader::integer32(std::string_view name) const {
  auto number = integer(name, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max());
  if (!number) return std::nullopt;
  return static_cast<int32_t>(*number);
}

std::vector<std::string> FieldReader::texts(std::string_view name) const {
  std::vector<std::string> texts;
  document::Value array = typed(name, document::Kind::kArray);
  size_t i = 0;
  for (document::Value element : array.elements()) {
    if (element.is(document::Kind::kString)) {
      texts.emplace_back(element.as_string());
    } else {
      report(element, below(name) + "[" + std::to_string(i) + "]",
             "expected string, found " + found(element));
    }
    ++i;
  }
  return texts;
}

model::StringMap FieldReader::string_map(std::string_view name) const {
  model::StringMap map;
  for (document::Member member : typed(name, document::Kind::kObject).members()) {
    if (member.value.is(document::Kind::kString)) {
      map.emplace_back(member.key, member.value.as_string());
    } else {
      report(member.value, below(name) + "." + std::string(member.key),
             "expected string, found " + found(member.value));
    }
  }
  sort_by_key(map);
  return map;
}

std::optional<model::Quantity> FieldReader::quantity(document::Value value,
                                                     const std::string& path) const {
  std::string_view text;
  if (value.is(document::Kind::kString)) text = value.as_string();
  if (value.is(document::Kind::kNumber)) text = value.number_text();
  std::optional<model::Quantity> quantity =
      text.empty() ? std::nullopt : model::Quantity::parse(text);
  if (!quantity) {
    report(value, path, "expected a quantity such as 500m, 2 or 4Gi, found " + found(value));
  } else if (quantity->negative()) {
    report(value, path, "a quantity of a resource cannot be negative, found " + std::string(text));
    quantity.reset();
  }
  return quantity;
}

model::ResourceList FieldReader::resources(std::string_view name) const {
  model::ResourceList list;
  for (document::Member member : typed(name, document::Kind::kObject).members()) {
    std::string path = below(name) + "." + std::string(member.key);
    if (std::optional<model::Quantity> amount = quantity(member.value, path))
      list.emplace_back(member.key, *amount);
  }
  sort_by_key(list);
  return list;
}

}  // namespace berth::ingest
