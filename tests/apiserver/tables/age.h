#pragma once

#include <string>
#include <string_view>

#include "tests/apiserver/api/clock.h"

namespace berth::apiserver {

// A duration as kubectl shows ages, with at most two units: "0s", "119s", "3m5s", "47h", "2d4h".
// "<invalid>" if it is negative by more than a second.
std::string duration_text(Nanoseconds duration);

// The age of what has this time of the API. "<unknown>" if the text is no time.
std::string age_text(std::string_view time, Nanoseconds now);

}  // namespace berth::apiserver
