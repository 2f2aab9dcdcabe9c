#pragma once

// Reads times of the API.

#include <cstdint>
#include <optional>
#include <string_view>

namespace berth::ingest {

// The nanoseconds since 1970-01-01T00:00:00Z of a time in RFC 3339, such as 2024-01-01T00:00:00Z or
// 2024-01-01T02:00:00.5+02:00. Nothing if the text is no such time, or one before 1678 or after
// 2261. Digits of a second behind the ninth are dropped.
std::optional<int64_t> parse_time(std::string_view text);

}  // namespace berth::ingest
