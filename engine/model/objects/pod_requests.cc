#include "engine/model/objects/pod_requests.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>

namespace berth::model {
namespace {

// By resource. The names are those of the pod's spec and of Options: a pod may have very many
// resources, in many containers.
using Totals = boost::unordered_flat_map<std::string_view, Quantity>;

void add(Totals& totals, const auto& more) {
  for (const auto& [name, quantity] : more) totals[name] += quantity;
}

void raise(Totals& totals, std::string_view name, const Quantity& quantity) {
  const auto [at, fresh] = totals.try_emplace(name, quantity);
  if (!fresh && at->second < quantity) at->second = quantity;
}
void raise(Totals& totals, const auto& other) {
  for (const auto& [name, quantity] : other) raise(totals, name, quantity);
}

struct Options {
  bool use_statuses = false;
  bool use_pod_level = true;
  bool use_own_status = false;  // of the pod, besides those of containers
  ResourceList defaults;        // for containers without requests of these resources
};

// The first status of each container.
using Statuses = boost::unordered_flat_map<std::string_view, const ContainerStatus*>;

Statuses statuses_of(const PodSpec& spec) {
  Statuses statuses;
  for (const ContainerStatus& status : spec.container_statuses)
    statuses.try_emplace(status.name, &status);
  return statuses;
}

// After a resize a container, or the pod, holds the maximum of what it requests and its allocated
// resources. If the resize is infeasible, the new requests do not count. `status`: null for a
// container without one.
Totals effective(const PodSpec& spec, const ResourceList& requested,
                 const ContainerStatus* status) {
  Totals requests;
  const bool resized = status != nullptr && status->has_resources;
  if (!resized || !spec.resize_infeasible) add(requests, requested);
  if (resized) {
    raise(requests, status->requests);
    raise(requests, status->allocated_resources);
  }
  return requests;
}

Totals container_requests(const PodSpec& spec, const Container& container,
                          const ContainerStatus* status, const Options& options) {
  Totals requests = effective(spec, container.requests, status);
  for (const auto& [name, quantity] : options.defaults) requests.try_emplace(name, quantity);
  return requests;
}

// Requests are not negative, so at any time all sidecars together need the most that those started
// so far do.
Totals container_level(const PodSpec& spec, const Options& options) {
  const Statuses statuses = options.use_statuses ? statuses_of(spec) : Statuses();
  const auto status_of = [&](const Container& container) {
    const auto at = statuses.find(container.name);
    return at == statuses.end() ? nullptr : at->second;
  };
  Totals sum;
  for (const Container& container : spec.containers)
    add(sum, container_requests(spec, container, status_of(container), options));

  Totals sidecars;  // those started so far
  Totals init_peak;
  for (const Container& container : spec.init_containers) {
    const ContainerStatus* status = container.restart_always ? status_of(container) : nullptr;
    const Totals running = container_requests(spec, container, status, options);
    if (container.restart_always) {
      add(sum, running);
      add(sidecars, running);
      continue;
    }
    for (const auto& [name, quantity] : running) {
      Quantity needed = quantity;
      if (const auto at = sidecars.find(name); at != sidecars.end()) needed += at->second;
      raise(init_peak, name, needed);
    }
  }
  raise(init_peak, sidecars);
  raise(sum, init_peak);
  return sum;
}

bool pod_level_resource(std::string_view name) {
  return name == "cpu" || name == "memory" || name.starts_with("hugepages-");
}

bool names_pod_level(const PodSpec& spec) {
  return std::any_of(spec.pod_requests.begin(), spec.pod_requests.end(),
                     [](const auto& pair) { return pod_level_resource(pair.first); });
}

// A status has no effect on resources that the spec does not name.
void put_pod_level(const PodSpec& spec, const Options& options, Totals& sum) {
  if (!names_pod_level(spec)) return;
  Totals requests =
      effective(spec, spec.pod_requests, options.use_own_status ? &spec.own_status : nullptr);
  for (const auto& [name, quantity] : spec.pod_requests)
    if (pod_level_resource(name)) sum[name] = requests[name];
}

ResourceList total(const PodSpec& spec, const Options& options) {
  Totals sum = container_level(spec, options);
  if (options.use_pod_level) put_pod_level(spec, options, sum);
  add(sum, spec.overhead);
  ResourceList list(sum.begin(), sum.end());
  std::ranges::sort(list, {}, &ResourceList::value_type::first);
  return list;
}

// These defaults are the framework's and not one plugin's: kube-scheduler's node info holds the
// sums for all plugins (NodeInfo.NonZeroRequested), so the model follows them as pods come and go.
// Source: kube-scheduler util/pod_resources.go.
ResourceList nonzero_defaults() {
  return {{"cpu", Quantity::from_milli(kDefaultMilliCpu)},
          {"memory", Quantity::from_units(kDefaultMemory)}};
}

bool has(const ResourceList& list, std::string_view name) {
  return std::ranges::any_of(list, [&](const auto& pair) { return pair.first == name; });
}

int64_t amount_in(const ResourceList& list, std::string_view name) {
  for (const auto& [key, quantity] : list)
    if (key == name) return resource_amount(name, quantity);
  return 0;
}

}  // namespace

int64_t resource_amount(std::string_view resource, const Quantity& quantity) {
  return resource == "cpu" ? quantity.milli_value() : quantity.value();
}

PodRequests pod_requests(const PodSpec& spec, PodLevelResize resize) {
  PodRequests result;
  result.requests = total(spec, {});
  Options running;
  running.use_statuses = true;
  running.use_own_status = resize == PodLevelResize::kCounts;
  result.running = total(spec, running);
  Options scoring;
  scoring.use_pod_level = false;
  scoring.defaults = nonzero_defaults();
  result.scoring = total(spec, scoring);

  // With pod-level requests, defaults apply only to resources that neither level names.
  Options nonzero = running;
  nonzero.defaults = nonzero_defaults();
  if (names_pod_level(spec))
    std::erase_if(nonzero.defaults,
                  [&](const auto& pair) { return has(result.running, pair.first); });
  ResourceList sums = total(spec, nonzero);
  result.nonzero_milli_cpu = amount_in(sums, "cpu");
  result.nonzero_memory = amount_in(sums, "memory");
  return result;
}

}  // namespace berth::model
