#pragma once

// The page of the report without its data: the text before and after them. bench/report is joined
// into it when Berth is built.

#include <string_view>

namespace berth::bench {

// Both are empty in a build without the report (BERTH_REPORT=OFF).
std::string_view report_before_data();
std::string_view report_after_data();

}  // namespace berth::bench
