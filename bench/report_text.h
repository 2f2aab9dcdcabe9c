#pragma once

// The report's page without data, as the text before and after the data. The build joins it from
// bench/report.

#include <string_view>

namespace berth::bench {

// Both are empty in a build without the report (BERTH_REPORT=OFF).
std::string_view report_before_data();
std::string_view report_after_data();

}  // namespace berth::bench
