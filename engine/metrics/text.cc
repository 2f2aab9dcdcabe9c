#include "engine/metrics/text.h"

#include <prometheus/text_serializer.h>

#include <algorithm>

namespace berth::metrics {

std::string to_text(std::vector<prometheus::MetricFamily> families) {
  std::erase_if(families, [](const auto& family) { return family.metric.empty(); });
  std::sort(families.begin(), families.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  for (prometheus::MetricFamily& family : families)
    std::sort(family.metric.begin(), family.metric.end(),
              [](const auto& a, const auto& b) { return a.label < b.label; });
  return prometheus::TextSerializer().Serialize(families);
}

}  // namespace berth::metrics
