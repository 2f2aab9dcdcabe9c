#pragma once

// Objects, arrays and members of JSON on top of RapidJSON's writer. Internal to object_json.

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/model/objects.h"

namespace berth::loadgen {

using JsonWriter = rapidjson::Writer<rapidjson::StringBuffer>;

inline void text(JsonWriter& json, std::string_view value) {
  json.String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
}
inline void key(JsonWriter& json, std::string_view name) { text(json, name); }
inline void member(JsonWriter& json, std::string_view name, std::string_view value) {
  key(json, name);
  text(json, value);
}
inline void member_if(JsonWriter& json, std::string_view name, std::string_view value) {
  if (!value.empty()) member(json, name, value);
}
inline void number(JsonWriter& json, std::string_view name, int64_t value) {
  key(json, name);
  json.Int64(value);
}
inline void flag(JsonWriter& json, std::string_view name, bool value) {
  key(json, name);
  json.Bool(value);
}

template <typename Write>
void object(JsonWriter& json, Write&& write) {
  json.StartObject();
  write();
  json.EndObject();
}
template <typename Write>
void object(JsonWriter& json, std::string_view name, Write&& write) {
  key(json, name);
  object(json, write);
}

template <typename List, typename Write>
void array(JsonWriter& json, std::string_view name, const List& list, Write&& write) {
  key(json, name);
  json.StartArray();
  for (const auto& element : list) write(element);
  json.EndArray();
}
template <typename List, typename Write>
void array_if(JsonWriter& json, std::string_view name, const List& list, Write&& write) {
  if (!list.empty()) array(json, name, list, write);
}

void texts_if(JsonWriter& json, std::string_view name, const std::vector<std::string>& list);
void string_map(JsonWriter& json, std::string_view name, const model::StringMap& map);
void resources(JsonWriter& json, std::string_view name, const model::ResourceList& list);

// json_affinity.cc
void affinity(JsonWriter& json, const model::Affinity& affinity);
void spread(JsonWriter& json, const model::TopologySpreadConstraint& constraint);
void label_selector(JsonWriter& json, std::string_view name,
                    const std::optional<model::LabelSelector>& selector);

}  // namespace berth::loadgen
