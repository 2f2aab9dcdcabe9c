#include "engine/output/spread.h"

#include <algorithm>
#include <utility>

#include "engine/model/objects/names.h"
#include "engine/output/resource_use.h"

namespace berth::output {
namespace {

Spread spread(std::string key, const std::vector<uint64_t>& counts) {
  Spread found{.topology_key = std::move(key)};
  found.domains = counts.size();
  if (counts.empty()) return found;
  const auto [least, most] = std::ranges::minmax(counts);
  found.minimum = least;
  found.maximum = most;
  for (const uint64_t pods : counts) found.mean += static_cast<double>(pods);
  found.mean /= static_cast<double>(found.domains);
  return found;
}

}  // namespace

std::vector<Spread> spreads(const model::Cluster& cluster) {
  std::vector<uint64_t> zones;
  for (const auto& [zone, pods] : pods_per_zone(cluster))
    if (!zone.empty()) zones.push_back(pods);
  std::vector<Spread> found;
  if (!zones.empty()) found.push_back(spread("topology.kubernetes.io/zone", zones));
  std::vector<uint64_t> nodes;
  for (model::Row row = 0; row < cluster.nodes().rows(); ++row)
    nodes.push_back(cluster.nodes().pods(cluster.nodes().slot_of(row)).size());
  if (!nodes.empty()) found.push_back(spread(model::kHostnameLabel, nodes));
  return found;
}

}  // namespace berth::output
