#pragma once

// Numbers as people read them on a terminal.

#include <cstdint>
#include <string>

namespace berth {

// 1234567 as 1,234,567.
std::string grouped(uint64_t number);

// "850 ns", "17.3 us", "1.25 ms", "3.10 s".
std::string duration_text(double seconds);

}  // namespace berth
