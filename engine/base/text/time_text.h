#pragma once

// Times as the API of Kubernetes writes them, of nanoseconds since 1970.

#include <cstdint>
#include <string>

namespace berth {

std::string time_text(int64_t wall);        // Time: "2026-07-14T09:05:01Z", rounded down
std::string micro_time_text(int64_t wall);  // MicroTime: "2026-07-14T09:05:01.000042Z"

}  // namespace berth
