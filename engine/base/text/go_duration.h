#pragma once

// Durations as Kubernetes writes them, which is how Go does.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace berth {

// "0s", "1.5ms", "3s", "1m0s", "1h0m0.25s".
std::string go_duration(std::chrono::nanoseconds duration);

// Parses a duration into nanoseconds: an optional sign, then numbers with an optional fraction and
// a unit each ("1h15m", "1.5s", "-300ms"); "0" needs no unit. Units: ns, us (also with either micro
// sign), ms, s, m, h. Fractions of a nanosecond are truncated. Returns nothing if the text is
// malformed or the duration does not fit an int64.
std::optional<int64_t> parse_duration(std::string_view text);

}  // namespace berth
