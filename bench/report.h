#pragma once

// The report of berth-bench: one HTML page that works offline and contains its data as JSON.

#include <string>
#include <string_view>

namespace berth::bench {

// Throws Error if this build has no report. Call it before a long run, not after it.
void require_report();

// Returns the page for results in the JSON format berth-bench/1 (UTF-8). The JSON is inserted
// unchanged, apart from `<`, which becomes \u003c so that it cannot be taken for markup; JSON
// readers see the same text. Sections without data are left out of the page. If the text is not
// JSON or has another format, the page says so. Throws Error if this build has no report.
std::string report_page(std::string_view results_json);

}  // namespace berth::bench
