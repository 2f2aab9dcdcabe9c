#include "engine/output/resource_use.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/base/saturate.h"
#include "engine/base/text/number_text.h"

namespace berth::output {
namespace {

using Totals = boost::unordered_flat_map<model::StringId, ResourceUse>;

// Amounts that together are more than fits make the largest number; those of one node wrap, as its
// column does.
void add_node(const model::Cluster& cluster, model::Slot slot, model::StringId pods,
              Totals& totals) {
  for (const auto& [name, amount] : cluster.nodes().node(slot).allocatable) {
    int64_t& sum = totals[name].allocatable;
    sum = saturating_sum(sum, amount);
  }
  boost::unordered_flat_map<model::StringId, int64_t> requested;
  const std::vector<model::PodOnNode>& placed = cluster.nodes().pods(slot);
  for (const model::PodOnNode& pod : placed)
    for (const auto& [name, amount] : cluster.templates()[pod.pod_template].accounted)
      requested[name] = wrapping_sum(requested[name], amount);
  requested[pods] = static_cast<int64_t>(placed.size());
  for (const auto& [name, amount] : requested) {
    int64_t& sum = totals[name].requested;
    sum = saturating_sum(sum, amount);
  }
}

// The position in the list of the resources that are printed first; all others have the same rank
// after them.
size_t rank(const std::string& resource) {
  static constexpr std::string_view kFirst[] = {"cpu", "memory", "ephemeral-storage", "pods"};
  return static_cast<size_t>(std::find(std::begin(kFirst), std::end(kFirst), resource) -
                             std::begin(kFirst));
}

// Those that are allocatable. Takes the totals.
std::vector<ResourceUse> sorted_uses(const model::Cluster& cluster, Totals& totals) {
  std::vector<ResourceUse> uses;
  for (auto& [name, use] : totals) {
    use.resource = cluster.text(name);
    if (use.allocatable != 0) uses.push_back(std::move(use));
  }
  std::sort(uses.begin(), uses.end(), [](const auto& a, const auto& b) {
    const size_t rank_a = rank(a.resource), rank_b = rank(b.resource);
    return rank_a != rank_b ? rank_a < rank_b : a.resource < b.resource;
  });
  return uses;
}

}  // namespace

// Adds up the amounts of nodes and pods instead of reading a column per resource: a cluster may
// have as many resources as nodes, each on one of them.
std::vector<ResourceUse> resource_use(const model::Cluster& cluster) {
  Totals totals;
  const model::StringId pods = cluster.strings().find("pods");
  for (model::Row row = 0; row < cluster.nodes().rows(); ++row)
    add_node(cluster, cluster.nodes().slot_of(row), pods, totals);
  return sorted_uses(cluster, totals);
}

std::vector<NodeUse> node_uses(const model::Cluster& cluster) {
  std::vector<NodeUse> uses;
  const model::StringId pods = cluster.strings().find("pods");
  const model::StringId key = cluster.strings().find("topology.kubernetes.io/zone");
  for (model::Row row = 0; row < cluster.nodes().rows(); ++row) {
    const model::Slot slot = cluster.nodes().slot_of(row);
    Totals totals;
    add_node(cluster, slot, pods, totals);
    uses.push_back({.node = std::string(cluster.node_name(row)),
                    .zone = std::string(
                        cluster.text(model::label_value(cluster.nodes().node(slot).labels, key))),
                    .pods = cluster.nodes().pods(slot).size(),
                    .resources = sorted_uses(cluster, totals)});
  }
  return uses;
}

std::string amount_text(const std::string& resource, int64_t value) {
  if (resource == "cpu") return fmt::format("{:.1f} cores", static_cast<double>(value) / 1000);
  const bool bytes =
      resource == "memory" || resource == "ephemeral-storage" || resource.starts_with("hugepages-");
  if (!bytes) return grouped(static_cast<uint64_t>(std::max<int64_t>(value, 0)));
  return fmt::format("{:.1f} GiB", static_cast<double>(value) / (1024.0 * 1024 * 1024));
}

std::map<std::string, uint64_t> pods_per_zone(const model::Cluster& cluster) {
  std::map<std::string, uint64_t> pods_of;
  const model::StringId key = cluster.strings().find("topology.kubernetes.io/zone");
  for (model::Row row = 0; row < cluster.nodes().rows(); ++row) {
    const model::Slot slot = cluster.nodes().slot_of(row);
    const model::StringId zone = model::label_value(cluster.nodes().node(slot).labels, key);
    pods_of[std::string(cluster.text(zone))] += cluster.nodes().pods(slot).size();
  }
  return pods_of;
}

}  // namespace berth::output
