#include "engine/config/read/node.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <unordered_set>
#include <vector>

#include "engine/base/text/go_duration.h"

namespace berth::config {
namespace {

using document::Kind;
using document::Value;

std::string strict(std::string_view what, std::string_view path) {
  return "strict decoding error: " + std::string(what) + " field " + quoted(path);
}

// Removes an index in brackets from the beginning of `path`.
size_t take_index(std::string_view& path) {
  size_t index = 0;
  const char* end = std::from_chars(path.data() + 1, path.data() + path.size(), index).ptr;
  path.remove_prefix(static_cast<size_t>(end - path.data()) + 1);
  return index;
}

// Removes a member's name from the beginning of `path`.
std::string_view take_name(std::string_view& path) {
  if (path.starts_with('.')) path.remove_prefix(1);
  const std::string_view name = path.substr(0, path.find_first_of(".["));
  path.remove_prefix(name.size());
  return name;
}

}  // namespace

Place Node::place() const {
  Place place = value.place();
  place.field = path;
  return place;
}

Node Node::element(Value element, size_t index) const {
  return {.value = element, .path = path + "[" + std::to_string(index) + "]"};
}

Node Node::member(Value member, std::string_view name) const {
  return {.value = member, .path = (path.empty() ? path : path + ".") + std::string(name)};
}

// Absent if the list has fewer elements.
Value Places::element(Value list, std::string_view path, size_t index) {
  const auto [at, fresh] = lists_.try_emplace(std::string(path));
  std::vector<Value>& elements = at->second;
  if (fresh)
    for (const Value element : list.elements()) elements.push_back(element);
  return index < elements.size() ? elements[index] : Value();
}

Place Places::at(std::string_view path) {
  Value nearest = root_;
  for (std::string_view rest = path; !rest.empty();) {
    const std::string_view before = path.substr(0, path.size() - rest.size());
    const Value next = rest.starts_with('[') ? element(nearest, before, take_index(rest))
                                             : nearest.find(take_name(rest));
    if (!next.present()) break;
    nearest = next;
  }
  Place place = nearest.place();
  place.field = path;
  return place;
}

Place place_at(Value root, std::string_view path) { return Places(root).at(path); }

bool Reader::object(const Node& node, const std::vector<Field>& fields) {
  if (!node.set()) return true;
  if (!node.value.is(Kind::kObject)) {
    expected(node, "an object");
    return false;
  }
  std::vector<bool> seen(fields.size());
  for (const document::Member& member : node.value.members()) {
    const Node child = node.member(member.value, member.key);
    size_t field = 0;
    while (field < fields.size() && fields[field].name != member.key) ++field;
    if (field == fields.size() || !fields[field].known) {
      faults_.add(member.key_value.place(), strict("unknown", child.path));
    } else if (seen[field]) {
      faults_.add(member.key_value.place(), strict("duplicate", child.path));
    } else {
      seen[field] = true;
      fields[field].read(child);
    }
  }
  return true;
}

bool Reader::array(const Node& node, const std::function<void(const Node&)>& read) {
  if (!node.set()) return true;
  if (!node.value.is(Kind::kArray)) {
    expected(node, "a list");
    return false;
  }
  size_t index = 0;
  for (const Value element : node.value.elements()) read(node.element(element, index++));
  return true;
}

void Reader::unique_members(const Node& node) {
  size_t index = 0;
  for (const Value element : node.value.elements()) unique_members(node.element(element, index++));
  std::unordered_set<std::string_view> seen;
  for (const document::Member& member : node.value.members()) {
    const Node child = node.member(member.value, member.key);
    if (seen.insert(member.key).second) {
      unique_members(child);
    } else {
      faults_.add(member.key_value.place(), strict("duplicate", child.path));
    }
  }
}

std::optional<std::string> Reader::string(const Node& node) {
  if (!node.set()) return std::nullopt;
  if (!node.value.is(Kind::kString)) {
    expected(node, "a string");
    return std::nullopt;
  }
  return std::string(node.value.as_string());
}

std::optional<bool> Reader::boolean(const Node& node) {
  if (!node.set()) return std::nullopt;
  if (!node.value.is(Kind::kBoolean)) {
    expected(node, "true or false");
    return std::nullopt;
  }
  return node.value.as_bool();
}

std::optional<int32_t> Reader::int32(const Node& node) {
  const auto value = integer(node, std::numeric_limits<int32_t>::min(),
                             std::numeric_limits<int32_t>::max(), "a whole number of 32 bits");
  if (!value) return std::nullopt;
  return static_cast<int32_t>(*value);
}

std::optional<int64_t> Reader::int64(const Node& node) {
  return integer(node, std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max(),
                 "a whole number of 64 bits");
}

std::optional<float> Reader::float32(const Node& node) {
  if (!node.set()) return std::nullopt;
  const auto value = node.value.as_double();
  if (!value || std::abs(*value) > std::numeric_limits<float>::max()) {
    expected(node, "a number");
    return std::nullopt;
  }
  return static_cast<float>(*value);
}

std::optional<int64_t> Reader::duration(const Node& node) {
  std::optional<int64_t> value;
  if (node.value.is(Kind::kString)) value = parse_duration(node.value.as_string());
  if (!value) expected(node, "a duration such as \"15s\" or \"1m30s\"");
  return value;
}

std::optional<int64_t> Reader::integer(const Node& node, int64_t min, int64_t max,
                                       std::string_view what) {
  if (!node.set()) return std::nullopt;
  const auto value = node.value.as_int64();
  if (!value || *value < min || *value > max) {
    expected(node, what);
    return std::nullopt;
  }
  return value;
}

void Reader::expected(const Node& node, std::string_view what) {
  std::string message = "must be " + std::string(what) + ", not ";
  switch (node.value.kind()) {
    case Kind::kNull:
      message += "null";
      break;
    case Kind::kArray:
      message += "a list";
      break;
    case Kind::kObject:
      message += "an object";
      break;
    case Kind::kString:
      message += "the string ";
      [[fallthrough]];
    case Kind::kBoolean:
    case Kind::kNumber:
      message += document::to_json(node.value);
      break;
  }
  faults_.add(node.place(), std::move(message));
}

}  // namespace berth::config
