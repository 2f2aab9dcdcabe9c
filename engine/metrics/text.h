#pragma once

#include <prometheus/metric_family.h>

#include <string>
#include <vector>

namespace berth::metrics {

// Prometheus' text format, version 0.0.4. Families are ordered by name and series by their labels,
// so equal values give equal texts: the library keeps series in a hash table. Families without a
// series are left out.
std::string to_text(std::vector<prometheus::MetricFamily> families);

}  // namespace berth::metrics
