#include "engine/cli/resource_use.h"

#include <set>

#include "engine/base/saturate.h"

namespace berth::cli {
namespace {

std::vector<std::string> resource_names(const model::Cluster& cluster) {
  std::vector<std::string> names = {"cpu", "memory", "ephemeral-storage", "pods"};
  std::set<std::string> more;
  for (model::Row row = 0; row < cluster.nodes().rows(); ++row)
    for (const auto& [name, amount] :
         cluster.nodes().node(cluster.nodes().slot_of(row)).allocatable)
      more.insert(std::string(cluster.text(name)));
  for (const std::string& name : names) more.erase(name);
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

// Amounts that together are more than there are numbers for make the largest number.
int64_t total(model::Cluster& cluster, const std::string& id) {
  berth_column column = cluster.view(cluster.find_column(id));
  int64_t sum = 0;
  for (uint64_t i = 0; i < column.count; ++i)
    sum = saturating_sum(sum, static_cast<const int64_t*>(column.data)[i]);
  return sum;
}

}  // namespace

std::vector<output::ResourceUse> resource_use(model::Cluster& cluster) {
  std::vector<output::ResourceUse> uses;
  for (const std::string& name : resource_names(cluster)) {
    output::ResourceUse use{.resource = name};
    use.requested = total(cluster, name == "pods" ? "node.pods" : "node.requested:" + name);
    use.allocatable = total(cluster, "node.allocatable:" + name);
    if (use.allocatable != 0) uses.push_back(use);
  }
  return uses;
}

std::map<std::string, uint64_t> pods_per_zone(model::Cluster& cluster) {
  std::map<std::string, uint64_t> pods_of;
  berth_column zones = cluster.view(cluster.find_column("node.label:topology.kubernetes.io/zone"));
  berth_column pods = cluster.view(cluster.find_column("node.pods"));
  for (uint64_t i = 0; i < zones.count; ++i)
    pods_of[std::string(cluster.text(static_cast<const uint32_t*>(zones.data)[i]))] +=
        static_cast<uint64_t>(static_cast<const int64_t*>(pods.data)[i]);
  return pods_of;
}

}  // namespace berth::cli
