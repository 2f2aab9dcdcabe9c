#pragma once

#include <string_view>

namespace berth {

// The version of all programs: "0.1.0".
std::string_view program_version();

}  // namespace berth
