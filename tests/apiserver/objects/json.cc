#include "tests/apiserver/objects/json.h"

#include <array>

#include "tests/apiserver/objects/problem.h"

namespace berth::apiserver {
namespace {

// Takes the first name off a path.
std::string_view next_name(std::string_view& path) {
  const size_t dot = path.find('.');
  const std::string_view name = path.substr(0, dot);
  path = dot == path.npos ? std::string_view() : path.substr(dot + 1);
  return name;
}

// The object that holds the last name of the path, and that name.
json::object& make_parent(json::value& root, std::string_view path, std::string_view& name) {
  json::value* at = &root;
  for (name = next_name(path);; name = next_name(path)) {
    if (!at->is_object()) *at = json::object();
    if (path.empty()) return at->get_object();
    at = &at->get_object()[name];
  }
}

}  // namespace

json::value parse_object(std::string_view text) {
  json::parse_options options;
  options.max_depth = 128;
  json::error_code error;
  json::value parsed = json::parse(text, error, {}, options);
  if (error) throw bad_request("the object provided is no JSON: " + error.message());
  if (!parsed.is_object()) throw bad_request("the object provided is no JSON object");
  return parsed;
}

std::string to_text(const json::value& tree) {
  // json::serialize() lets its text grow by doubling; objects are some kilobytes.
  thread_local json::serializer serializer;
  thread_local std::array<char, 16384> part;
  std::string text;
  serializer.reset(&tree);
  while (!serializer.done()) {
    const json::string_view piece = serializer.read(part.data(), part.size());
    text.append(piece.data(), piece.size());
  }
  return text;
}

const json::value* find(const json::value& root, std::string_view path) {
  const json::value* at = &root;
  while (at != nullptr && !path.empty()) {
    const json::object* object = at->if_object();
    at = object == nullptr ? nullptr : object->if_contains(next_name(path));
  }
  return at;
}

json::value* find(json::value& root, std::string_view path) {
  return const_cast<json::value*>(find(std::as_const(root), path));
}

std::string_view text_at(const json::value& root, std::string_view path) {
  const json::value* found = find(root, path);
  return found == nullptr || !found->is_string() ? std::string_view() : view(found->get_string());
}

int64_t number_at(const json::value& root, std::string_view path, int64_t otherwise) {
  const json::value* found = find(root, path);
  return found == nullptr || !found->is_int64() ? otherwise : found->get_int64();
}

const json::object* object_at(const json::value& root, std::string_view path) {
  const json::value* found = find(root, path);
  if (found == nullptr || !found->is_object() || found->get_object().empty()) return nullptr;
  return &found->get_object();
}

const json::array* array_at(const json::value& root, std::string_view path) {
  const json::value* found = find(root, path);
  if (found == nullptr || !found->is_array() || found->get_array().empty()) return nullptr;
  return &found->get_array();
}

json::object& make_object(json::value& root, std::string_view path) {
  std::string_view name;
  json::value& made = make_parent(root, path, name)[name];
  return made.is_object() ? made.get_object() : made.emplace_object();
}

json::array& make_array(json::value& root, std::string_view path) {
  std::string_view name;
  json::value& made = make_parent(root, path, name)[name];
  return made.is_array() ? made.get_array() : made.emplace_array();
}

void erase_at(json::value& root, std::string_view path) {
  const size_t dot = path.rfind('.');
  json::value* parent = dot == path.npos ? &root : find(root, path.substr(0, dot));
  if (parent == nullptr || !parent->is_object()) return;
  parent->get_object().stable_erase(dot == path.npos ? path : path.substr(dot + 1));
}

}  // namespace berth::apiserver
