#pragma once

// The report of berth-bench: one HTML page that needs no network and holds its data as JSON.

#include <string>
#include <string_view>

namespace berth::bench {

// Throws Error if this build has no report: to be asked before a run of an hour, not after it.
void require_report();

// The page for results in the JSON of format berth-bench/1, UTF-8. They become part of the page as
// they are, but for `<`, which is written as \u003c lest the page take it for markup: a
// reader of the JSON sees the same. Sections for which there are no data are absent from the page,
// and what is not JSON or of another format is said there. Throws Error if this build has no
// report.
std::string report_page(std::string_view results_json);

}  // namespace berth::bench
