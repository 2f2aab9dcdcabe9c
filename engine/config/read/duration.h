#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace berth::config {

// Parses a duration in Go's syntax, which Kubernetes uses, into nanoseconds: an optional sign, then
// numbers with an optional fraction and a unit each ("1h15m", "1.5s", "-300ms"); "0" needs no unit.
// Units: ns, us (also with either micro sign), ms, s, m, h. Fractions of a nanosecond are
// truncated. Returns nothing if the text is malformed or the duration does not fit an int64.
std::optional<int64_t> parse_duration(std::string_view text);

}  // namespace berth::config
