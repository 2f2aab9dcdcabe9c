#include "bench/macro/measure/quality.h"

#include <algorithm>
#include <cmath>

#include "engine/base/saturate.h"
#include "engine/output/resource_use.h"

namespace berth::bench {
namespace {

using Values = std::vector<int64_t>;  // by row

Values values_of(model::Cluster& cluster, const std::string& id) {
  const berth_column column = cluster.view(cluster.find_column(id));
  const auto* data = static_cast<const int64_t*>(column.data);
  return data == nullptr ? Values(cluster.nodes().rows()) : Values(data, data + column.count);
}

// The amounts of one resource on all nodes.
struct Amounts {
  std::string resource;
  Values requested, allocatable;

  Amounts(model::Cluster& cluster, const std::string& name)
      : resource(name),
        requested(values_of(cluster, name == "pods" ? "node.pods" : "node.requested:" + name)),
        allocatable(values_of(cluster, "node.allocatable:" + name)) {}
  int64_t free(size_t row) const {
    return std::max<int64_t>(0, saturating_sum(allocatable[row], -requested[row]));
  }
};

// A shape's requests, parallel to the resources of the cluster.
struct Request {
  std::vector<int64_t> amounts;
  bool impossible = false;  // requests a resource that no node has

  bool fits(const std::vector<Amounts>& resources, size_t row) const {
    if (impossible) return false;
    for (size_t i = 0; i < resources.size(); ++i)
      if (amounts[i] > resources[i].free(row)) return false;
    return true;
  }
};

Request request_of(model::Cluster& cluster, model::TemplateId shape,
                   const std::vector<Amounts>& resources) {
  Request request;
  request.amounts.resize(resources.size());
  for (size_t i = 0; i < resources.size(); ++i)
    if (resources[i].resource == "pods") request.amounts[i] = 1;
  for (const auto& [name, amount] : cluster.templates()[shape].requests) {
    const std::string_view text = cluster.text(name);
    const auto at = std::find_if(resources.begin(), resources.end(),
                                 [&, text = text](const Amounts& r) { return r.resource == text; });
    if (at != resources.end())
      request.amounts[static_cast<size_t>(at - resources.begin())] = amount;
    else if (amount > 0)
      request.impossible = true;
  }
  return request;
}

// Free amounts on a node are usable if some shape that requests the resource fits there.
std::vector<Fragmentation> fragmentation(const std::vector<Amounts>& resources,
                                         const std::vector<Request>& shapes, size_t rows) {
  std::vector<Fragmentation> found(resources.size());
  for (size_t i = 0; i < resources.size(); ++i) found[i].resource = resources[i].resource;
  std::vector<bool> usable(resources.size());
  for (size_t row = 0; row < rows; ++row) {
    std::fill(usable.begin(), usable.end(), false);
    for (const Request& shape : shapes) {
      if (!shape.fits(resources, row)) continue;
      for (size_t i = 0; i < resources.size(); ++i)
        if (shape.amounts[i] > 0) usable[i] = true;
    }
    for (size_t i = 0; i < resources.size(); ++i) {
      const int64_t free = resources[i].free(row);
      found[i].free = saturating_sum(found[i].free, free);
      if (!usable[i]) found[i].unusable = saturating_sum(found[i].unusable, free);
    }
  }
  // Leave out resources that no shape requests.
  std::vector<Fragmentation> wanted;
  for (size_t i = 0; i < resources.size(); ++i)
    if (std::any_of(shapes.begin(), shapes.end(),
                    [&](const Request& s) { return s.amounts[i] > 0; }))
      wanted.push_back(found[i]);
  return wanted;
}

Balance balance(const Amounts& amounts) {
  Balance found{.resource = amounts.resource};
  double sum = 0, squares = 0, count = 0;
  for (size_t row = 0; row < amounts.allocatable.size(); ++row) {
    if (amounts.allocatable[row] <= 0) continue;
    const double part =
        static_cast<double>(amounts.requested[row]) / static_cast<double>(amounts.allocatable[row]);
    sum += part;
    squares += part * part;
    found.maximum = std::max(found.maximum, part);
    ++count;
  }
  if (count == 0) return found;
  found.mean = sum / count;
  found.standard_deviation = std::sqrt(std::max(0.0, squares / count - found.mean * found.mean));
  return found;
}

template <typename Counts>
Spread spread(std::string key, const Counts& counts) {
  Spread found{.topology_key = std::move(key)};
  found.minimum = UINT64_MAX;
  for (uint64_t pods : counts) {
    ++found.domains;
    found.minimum = std::min(found.minimum, pods);
    found.maximum = std::max(found.maximum, pods);
    found.mean += static_cast<double>(pods);
  }
  if (found.domains == 0) found.minimum = 0;
  if (found.domains != 0) found.mean /= static_cast<double>(found.domains);
  return found;
}

std::vector<Spread> spreads(model::Cluster& cluster) {
  std::vector<uint64_t> zones;
  for (const auto& [zone, pods] : output::pods_per_zone(cluster))
    if (!zone.empty()) zones.push_back(pods);
  std::vector<Spread> found;
  if (!zones.empty()) found.push_back(spread("topology.kubernetes.io/zone", zones));
  std::vector<uint64_t> nodes;
  for (int64_t pods : values_of(cluster, "node.pods")) nodes.push_back(static_cast<uint64_t>(pods));
  if (!nodes.empty()) found.push_back(spread("kubernetes.io/hostname", nodes));
  return found;
}

}  // namespace

Quality quality(model::Cluster& cluster, const std::vector<model::TemplateId>& shapes) {
  Quality found;
  found.utilisation = output::resource_use(cluster);
  std::vector<Amounts> resources;
  for (const output::ResourceUse& use : found.utilisation)
    resources.emplace_back(cluster, use.resource);
  std::vector<Request> requests;
  for (model::TemplateId shape : shapes) requests.push_back(request_of(cluster, shape, resources));
  found.fragmentation = fragmentation(resources, requests, cluster.nodes().rows());
  for (const Amounts& amounts : resources)
    if (amounts.resource != "pods") found.balance.push_back(balance(amounts));
  found.spread = spreads(cluster);
  return found;
}

}  // namespace berth::bench
