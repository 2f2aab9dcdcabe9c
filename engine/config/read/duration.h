#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace berth::config {

// Nanoseconds of a duration as Kubernetes writes them: a sign or none, then numbers with an
// optional fraction and a unit each ("1h15m", "1.5s", "-300ms"); "0" needs no unit. Units: ns, us
// (also with either micro sign), ms, s, m, h. Fractions of a nanosecond are cut off. Nothing if the
// text is none of that or the duration does not fit 63 bits and a sign.
std::optional<int64_t> parse_duration(std::string_view text);

}  // namespace berth::config
