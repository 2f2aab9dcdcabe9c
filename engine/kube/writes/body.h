#pragma once

// The bodies of requests.

#include <rapidjson/stringbuffer.h>

#include <string>
#include <string_view>

#include "engine/document/json/json_writer.h"

namespace berth::kube {

inline constexpr std::string_view kJson = "application/json";
inline constexpr std::string_view kMergePatch = "application/merge-patch+json";
inline constexpr std::string_view kStrategicPatch = "application/strategic-merge-patch+json";

// An object. `members` writes its members to the writer.
template <typename Members>
std::string json_body(Members&& members) {
  rapidjson::StringBuffer buffer;
  document::JsonWriter json(buffer);
  json.object([&] { members(json); });
  return {buffer.GetString(), buffer.GetSize()};
}

}  // namespace berth::kube
