#pragma once

#include <string>
#include <string_view>

#include "tests/apiserver/api/clock.h"

namespace berth::apiserver {

// "2024-05-01T12:30:00Z", as objects have times; parts of a second are cut off.
std::string time_text(Nanoseconds time);
// 0 if the text is none that time_text() makes.
Nanoseconds parse_time(std::string_view text);

}  // namespace berth::apiserver
