#include "engine/service/loop/comparison.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/base/assert.h"
#include "engine/model/cluster/pod_name.h"

namespace berth::service {
namespace {

using Objects = std::vector<kube::ListedObject>;

Objects without(const Objects& all, const Objects& others) {
  Objects left;
  std::ranges::set_difference(all, others, std::back_inserter(left));
  return left;
}

Objects in_both(const Objects& a, const Objects& b) {
  Objects both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  return both;
}

Difference in_both(const Difference& a, const Difference& b) {
  return {in_both(a.missed, b.missed), in_both(a.redundant, b.redundant)};
}

// The model does not know UIDs of nodes.
Objects nodes_of(const model::Cluster& cluster) {
  Objects nodes;
  for (model::Slot slot = 0; slot < cluster.nodes().slots(); ++slot)
    if (cluster.nodes().node(slot).present)
      nodes.push_back({std::string(cluster.nodes().name(slot)), {}});
  return nodes;
}

Objects pods_of(const model::Cluster& cluster) {
  Objects pods;
  cluster.pods().for_each([&](const model::PodRecord& pod) {
    pods.push_back({full_name(cluster, pod), std::string(cluster.text(pod.uid))});
  });
  return pods;
}

}  // namespace

Difference difference(Objects listed, Objects cached) {
  std::ranges::sort(listed);
  std::ranges::sort(cached);
  return {without(listed, cached), without(cached, listed)};
}

bool Comparison::begin() {
  if (lists_ != 0) return false;
  lists_ = 1;
  return true;
}

std::optional<Comparison::Result> Comparison::take(Listed listed, const model::Cluster& cluster) {
  BERTH_ASSERT(lists_ == 1 || lists_ == 2);
  const bool is_second = std::exchange(lists_, 0) == 2;
  if (!listed.fault.empty()) return std::nullopt;
  for (kube::ListedObject& node : listed.nodes) node.uid.clear();
  Objects nodes = nodes_of(cluster), pods = pods_of(cluster);
  Result result{.nodes = {}, .pods = {}, .cached_nodes = nodes.size(), .cached_pods = pods.size()};
  result.nodes = difference(std::move(listed.nodes), std::move(nodes));
  result.pods = difference(std::move(listed.pods), std::move(pods));
  if (is_second) {
    result.nodes = in_both(first_.nodes, result.nodes);
    result.pods = in_both(first_.pods, result.pods);
  } else if (!result.nodes.empty() || !result.pods.empty()) {
    lists_ = 2;
    first_ = std::move(result);
    return std::nullopt;
  }
  return result;
}

}  // namespace berth::service
