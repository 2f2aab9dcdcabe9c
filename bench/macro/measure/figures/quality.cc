#include "bench/macro/measure/figures/quality.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cmath>
#include <string>
#include <utility>

#include "engine/base/saturate.h"
#include "engine/output/resource_use.h"
#include "engine/output/spread.h"

namespace berth::bench {
namespace {

// The amount of a resource that a node has, and the amount that its pods request.
struct Amount {
  int64_t allocatable = 0, requested = 0;

  int64_t free() const { return std::max<int64_t>(0, saturating_sum(allocatable, -requested)); }
};

// Amounts of one node, by resource: those that the node or a pod on it names. A cluster may have as
// many resources as nodes, so that columns of all of them would be the square of the input.
using Amounts = boost::unordered_flat_map<model::StringId, Amount>;

Amounts amounts_of(const model::Cluster& cluster, model::Slot slot, model::StringId pods) {
  Amounts amounts;
  for (const auto& [name, amount] : cluster.nodes().node(slot).allocatable)
    amounts[name].allocatable = amount;
  const std::vector<model::PodOnNode>& placed = cluster.nodes().pods(slot);
  for (const model::PodOnNode& pod : placed)
    for (const auto& [name, amount] : cluster.templates()[pod.pod_template].accounted) {
      int64_t& requested = amounts[name].requested;
      requested = wrapping_sum(requested, amount);
    }
  amounts[pods].requested = static_cast<int64_t>(placed.size());
  return amounts;
}

// The amounts above 0 that a pod of a shape requests, with a place for itself.
using Request = std::vector<std::pair<model::StringId, int64_t>>;

Request request_of(const model::PodTemplate& shape, model::StringId pods) {
  Request request = {{pods, 1}};
  for (const auto& [name, amount] : shape.requests)
    if (amount > 0 && name != pods) request.emplace_back(name, amount);
  return request;
}

bool fits(const Request& request, const Amounts& node) {
  return std::all_of(request.begin(), request.end(), [&](const auto& wanted) {
    const auto at = node.find(wanted.first);
    return at != node.end() && wanted.second <= at->second.free();
  });
}

// Sums over nodes, for one resource.
struct Sums {
  bool wanted = false;  // some shape requests it
  Fragmentation fragmentation;
  double parts = 0, squares = 0, maximum = 0, nodes = 0;

  void add(const Amount& amount, bool usable) {
    fragmentation.free = saturating_sum(fragmentation.free, amount.free());
    if (!usable) fragmentation.unusable = saturating_sum(fragmentation.unusable, amount.free());
    if (amount.allocatable <= 0) return;
    const double part =
        static_cast<double>(amount.requested) / static_cast<double>(amount.allocatable);
    parts += part;
    squares += part * part;
    maximum = std::max(maximum, part);
    ++nodes;
  }

  Balance balance(const std::string& resource) const {
    if (nodes == 0) return {.resource = resource};
    const double mean = parts / nodes;
    return {resource, mean, std::sqrt(std::max(0.0, squares / nodes - mean * mean)), maximum};
  }
};

using SumsByResource = boost::unordered_flat_map<model::StringId, Sums>;

// Free amounts on a node are usable if some shape that requests the resource fits there.
SumsByResource sums(const model::Cluster& cluster, const std::vector<Request>& requests,
                    model::StringId pods) {
  SumsByResource all;
  for (const Request& request : requests)
    for (const auto& [name, amount] : request) all[name].wanted = true;
  boost::unordered_flat_set<model::StringId> usable;
  for (model::Row row = 0; row < cluster.nodes().rows(); ++row) {
    const Amounts node = amounts_of(cluster, cluster.nodes().slot_of(row), pods);
    usable.clear();
    for (const Request& request : requests) {
      if (!fits(request, node)) continue;
      for (const auto& [name, amount] : request) usable.insert(name);
    }
    for (const auto& [name, amount] : node) all[name].add(amount, usable.contains(name));
  }
  return all;
}

}  // namespace

Quality quality(const model::Cluster& cluster, const std::vector<model::TemplateId>& shapes) {
  Quality found;
  found.utilisation = output::resource_use(cluster);
  const model::StringId pods = cluster.strings().find("pods");
  std::vector<Request> requests;
  for (model::TemplateId shape : shapes)
    requests.push_back(request_of(cluster.templates()[shape], pods));
  SumsByResource all = sums(cluster, requests, pods);
  for (const output::ResourceUse& use : found.utilisation) {
    Sums& of = all[cluster.strings().find(use.resource)];
    of.fragmentation.resource = use.resource;
    if (of.wanted) found.fragmentation.push_back(of.fragmentation);
    if (use.resource != "pods") found.balance.push_back(of.balance(use.resource));
  }
  found.spread = output::spreads(cluster);
  return found;
}

}  // namespace berth::bench
