#include "loadgen/workload/workload_spec.h"

#include <algorithm>

#include "engine/base/draw.h"

namespace berth::loadgen {

uint64_t ClusterSpec::nodes() const {
  uint64_t sum = drawn;
  for (const NodeShape& shape : shapes) sum += shape.count;
  return sum;
}

uint32_t TemplateChoice::choose(uint64_t bits) const {
  if (templates.size() == 1) return templates.front().second;
  const uint64_t at = below(bits, templates.back().first);
  size_t i = 0;
  while (at >= templates[i].first) ++i;
  return templates[i].second;
}

bool ArrivalSpec::bounded() const {
  return pods != UINT64_MAX || stop != kNever || kind == ArrivalKind::kReplay;
}

bool WorkloadSpec::for_controllers() const {
  const bool changes = !outages.empty() || !zone_outages.empty() || !rolling_drains.empty();
  const auto has_system = [](const NodeShape& shape) { return shape.system_memory.has_value(); };
  return timed || changes || !kubelets.empty() || std::ranges::any_of(cluster.shapes, has_system) ||
         std::ranges::any_of(owners, &OwnerSpec::manifest) ||
         std::ranges::any_of(templates,
                             [](const TemplateSpec& of) { return of.usage.has_value(); });
}

}  // namespace berth::loadgen
