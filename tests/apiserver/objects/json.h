#pragma once

// Objects as trees of Boost.JSON, and how their fields are reached. A path has dots between names:
// "metadata.name". Names with dots cannot be reached by a path.

#include <boost/json.hpp>
#include <cstdint>
#include <string>
#include <string_view>

namespace berth::apiserver {

namespace json = boost::json;

// Throws Problem (objects/problem.h), a bad request, if the text is not a JSON object.
json::value parse_object(std::string_view text);

std::string to_text(const json::value& tree);

// Null: absent, or something on the path is no object.
const json::value* find(const json::value& root, std::string_view path);
json::value* find(json::value& root, std::string_view path);

// Empty if absent or no text. Valid until the tree is changed.
std::string_view text_at(const json::value& root, std::string_view path);
// `otherwise` if absent or no integer.
int64_t number_at(const json::value& root, std::string_view path, int64_t otherwise);
// Null if absent, empty, or no such thing.
const json::object* object_at(const json::value& root, std::string_view path);
const json::array* array_at(const json::value& root, std::string_view path);

// The object there; what is missing on the path, or no object, is replaced by one.
json::object& make_object(json::value& root, std::string_view path);
json::array& make_array(json::value& root, std::string_view path);

void erase_at(json::value& root, std::string_view path);

inline std::string_view view(const json::string& text) { return {text.data(), text.size()}; }
inline std::string_view view(json::string_view text) { return {text.data(), text.size()}; }

}  // namespace berth::apiserver
