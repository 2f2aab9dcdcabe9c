#pragma once

// Formats numbers for people.

#include <cstdint>
#include <string>

namespace berth {

// 1234567 becomes "1,234,567".
std::string grouped(uint64_t number);

// Seconds with a suitable unit: "850 ns", "17.3 us", "1.25 ms", "3.10 s".
std::string duration_text(double seconds);

}  // namespace berth
