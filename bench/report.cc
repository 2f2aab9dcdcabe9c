#include "bench/report.h"

#include "bench/report_text.h"
#include "engine/base/error.h"

namespace berth::bench {

void require_report() {
  if (report_before_data().empty()) {
    throw Error(
        "--report: this berth-bench was built without the report page (BERTH_REPORT=OFF, or uPlot "
        "was missing); run ./dev setup and build again, or take the results as JSON");
  }
}

std::string report_page(std::string_view results_json) {
  require_report();
  std::string page(report_before_data());
  // In JSON `<` occurs only within strings, where the escape is equivalent.
  for (const char byte : results_json) {
    if (byte == '<') {
      page += "\\u003c";
    } else {
      page += byte;
    }
  }
  page += report_after_data();
  return page;
}

}  // namespace berth::bench
