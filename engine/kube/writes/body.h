#pragma once

// The bodies of requests: JSON, times and texts of a bounded length.

#include <rapidjson/stringbuffer.h>

#include <cstdint>
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

// Nanoseconds since 1970 as metav1.Time, "2026-01-02T03:04:05Z", and as metav1.MicroTime,
// "2026-01-02T03:04:05.000006Z". Always UTC.
std::string seconds_text(int64_t nanoseconds);
std::string micros_text(int64_t nanoseconds);

// The first characters of `text` that fit in that many bytes.
std::string_view beginning(std::string_view text, size_t bytes);

}  // namespace berth::kube
