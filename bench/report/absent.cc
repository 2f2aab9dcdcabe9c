#include "bench/report_text.h"

namespace berth::bench {

std::string_view report_before_data() { return {}; }

std::string_view report_after_data() { return {}; }

}  // namespace berth::bench
