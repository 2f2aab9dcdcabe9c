#include "engine/controllers/kubelet/pod/pod_rules.h"

#include <algorithm>
#include <string_view>

#include "engine/model/objects/qos_class.h"

namespace berth::controllers::kubelet {

using model::Quantity;

namespace {

constexpr int32_t kSystemCritical = 2'000'000'000;

bool is_pod_level(std::string_view resource) {
  return resource == "cpu" || resource == "memory" || resource.starts_with("hugepages-");
}

bool names_pod_level(const Amounts& amounts) {
  return std::ranges::any_of(amounts, [](const auto& one) { return is_pod_level(one.first); });
}

void add_amount(std::optional<Amount>& sum, const Amount* more) {
  if (more == nullptr) return;
  if (sum) {
    *sum += *more;
  } else {
    sum = *more;
  }
}

void raise_amount(std::optional<Amount>& most, const std::optional<Amount>& other) {
  if (other && (!most || most->quantity < other->quantity)) most = other;
}

// Init containers run one after the other, each beside the sidecars before it; then all containers
// run beside all sidecars. `list`: requests or limits.
std::optional<Amount> most_at_once(const Pod& pod, std::string_view resource,
                                   Amounts Container::*list) {
  std::optional<Amount> sum, sidecars, init;
  for (const Container& one : pod.containers) add_amount(sum, find(one.*list, resource));
  for (const Container& one : pod.init_containers) {
    const Amount* amount = find(one.*list, resource);
    if (one.sidecar) {
      add_amount(sum, amount);
      add_amount(sidecars, amount);
      raise_amount(init, sidecars);
    } else {
      std::optional<Amount> beside;
      add_amount(beside, amount);
      if (sidecars) add_amount(beside, &*sidecars);
      raise_amount(init, beside);
    }
  }
  raise_amount(sum, init);
  return sum;
}

model::QosSums::Amounts compute_amounts(const Amounts& list) {
  model::QosSums::Amounts found{};
  for (size_t i = 0; i < found.size(); ++i)
    if (const Amount* amount = find(list, model::QosSums::kResources[i]))
      found[i] = &amount->quantity;
  return found;
}

}  // namespace

bool is_critical(const Pod& pod) {
  return pod.is_static || pod.is_mirror || (pod.priority && *pod.priority >= kSystemCritical);
}

bool is_node_critical(const Pod& pod) {
  return is_critical(pod) && pod.priority_class == "system-node-critical";
}

bool is_preemptable(const Pod& critical, const Pod& pod) {
  if (is_critical(critical) && !is_critical(pod)) return true;
  return critical.priority && pod.priority && *critical.priority > *pod.priority;
}

QosClass qos_class(const Pod& pod) {
  if (pod.qos_class) return *pod.qos_class;
  model::QosSums sums;
  if (pod.resources) {
    const auto& [requests, limits] = *pod.resources;
    sums.add_pod(compute_amounts(requests), compute_amounts(limits), !limits.empty());
    return sums.qos_class();
  }
  for (const auto* list : {&pod.containers, &pod.init_containers})
    for (const Container& one : *list)
      sums.add_container(compute_amounts(one.requests), compute_amounts(one.limits));
  return sums.qos_class();
}

bool has_pod_requests(const Pod& pod) {
  return pod.resources && names_pod_level(pod.resources->requests);
}

bool has_pod_resources(const Pod& pod) {
  return has_pod_requests(pod) || (pod.resources && names_pod_level(pod.resources->limits));
}

Quantity container_requests(const Pod& pod, std::string_view resource) {
  const std::optional<Amount> most = most_at_once(pod, resource, &Container::requests);
  return most ? most->quantity : Quantity();
}

Quantity ranked_request(const Pod& pod, std::string_view resource) {
  Quantity request;
  if (!has_pod_resources(pod)) {
    request = container_requests(pod, resource);
  } else if (const Amount* own = find(pod.resources->requests, resource);
             own != nullptr && is_pod_level(resource)) {
    request = own->quantity;
  }
  const Amount* overhead = find(pod.overhead, resource);
  if (overhead != nullptr && !request.zero()) request += overhead->quantity;
  return request;
}

std::optional<Amount> container_limits(const Pod& pod, std::string_view resource) {
  std::optional<Amount> limit = most_at_once(pod, resource, &Container::limits);
  const Amount* overhead = find(pod.overhead, resource);
  if (limit && !limit->quantity.zero() && overhead != nullptr) *limit += *overhead;
  return limit;
}

}  // namespace berth::controllers::kubelet
